// The dialog that starts a training run, and the button that stops it.
import { Refused, api } from "./api";
import type { App } from "./app";
import { byId, h } from "./dom";
import { allGames, calledInFull } from "./games";

export class TrainingDialog {
  private readonly dialog = byId<HTMLDialogElement>("train-dialog");

  constructor(
    private readonly app: () => App,
    private readonly started: (name: string) => void,
  ) {
    byId("train-cancel").addEventListener("click", () => this.dialog.close());
    byId("train").addEventListener("click", () => void this.open());
    byId("train-game").addEventListener("change", () => void this.choose());
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

  /** Propose the game on the board, at its size. */
  private async open(): Promise<void> {
    const { info, game } = this.app();
    const others = allGames().filter(({ name }) => name !== info.name);
    const list = byId<HTMLSelectElement>("train-game");
    list.replaceChildren(
      h("option", { value: game }, calledInFull(game)),
      ...others.map(({ name, title }) => h("option", { value: name }, title)),
    );
    await this.choose();
    this.dialog.showModal();
  }

  /** Show what there is for the game that is chosen. */
  private async choose(): Promise<void> {
    const game = byId<HTMLSelectElement>("train-game").value;
    byId("train-error").textContent = "";
    await this.guarded("train-error", async () => {
      const { presets } = await api.trainings(game);
      if (byId<HTMLSelectElement>("train-game").value !== game) return; // another one was chosen meanwhile
      byId("train-preset").replaceChildren(...presets.map(({ name, about }) => h("option", { value: name, title: about }, name)));
      const when = new Date().toISOString().slice(5, 16).replace(/[^0-9]/g, "");
      const [name = ""] = (game.split("/").at(-1) ?? "").split(/[.:]/);
      byId<HTMLInputElement>("train-name").value = `${name}-${when}`;
    });
  }

  private async start(): Promise<void> {
    const value = (id: string) => byId<HTMLInputElement>(id).value;
    const name = value("train-name");
    await api.train(value("train-game"), value("train-preset"), Number.parseFloat(value("train-minutes")), name);
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
