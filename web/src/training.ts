// The dialog that starts a training of the game on the board, and the button that stops it.
import { Refused, api } from "./api";
import type { App } from "./app";
import { byId, h } from "./dom";
import { calledInFull } from "./games";

export class TrainingDialog {
  private readonly dialog = byId<HTMLDialogElement>("train-dialog");

  constructor(
    private readonly app: () => App,
    private readonly started: (name: string) => void,
  ) {
    byId("train-cancel").addEventListener("click", () => this.dialog.close());
    byId("train").addEventListener("click", () => void this.open());
    byId("train-stop").addEventListener("click", () => void this.stop());
    byId("train-form").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.guarded("train-error", () => this.start());
    });
  }

  /** Show the buttons that are of use now. */
  async look(): Promise<void> {
    await this.guarded("train-failure", async () => {
      const { allowed, running, failure } = await api.trainings(this.app().game);
      byId("train").hidden = !allowed || running !== null;
      byId("train-stop").hidden = running === null;
      byId("train-stop").textContent = `Stop training ${running ?? ""}`;
      byId("train-failure").textContent = failure;
    });
  }

  private async open(): Promise<void> {
    const { info, game } = this.app();
    byId("train-game").textContent = `The agent learns the game on the board: ${calledInFull(game)}. To train another game, start a match of it first.`;
    byId("train-error").textContent = "";
    await this.guarded("train-error", async () => {
      const { presets } = await api.trainings(game);
      byId("train-preset").replaceChildren(...presets.map(({ name, about }) => h("option", { value: name, title: about }, name)));
      const when = new Date().toISOString().slice(5, 16).replace(/[^0-9]/g, "");
      byId<HTMLInputElement>("train-name").value = `${info.name}-${when}`;
    });
    this.dialog.showModal();
  }

  private async start(): Promise<void> {
    const value = (id: string) => byId<HTMLInputElement>(id).value;
    const name = value("train-name");
    await api.train(this.app().game, value("train-preset"), Number.parseFloat(value("train-minutes")), name);
    this.dialog.close();
    this.started(name);
    await this.look();
  }

  private async stop(): Promise<void> {
    await this.guarded("train-failure", async () => {
      await api.stopTraining();
      byId("train-stop").textContent = "Saving …";
    });
  }

  private async guarded(where: string, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      byId(where).textContent = error.message;
    }
  }
}
