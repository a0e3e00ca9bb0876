// The socket on which the server thinks aloud. It reconnects by itself: the server keeps no match.
import { Lost, Refused, type Thought, type Where } from "./api";

export interface Question extends Where {
  player: string;
  purpose: "move" | "analyse";
  seconds: number | null;
  iterations: number | null;
  level?: number;
}

type Answer = Thought | { type: "error"; id: number | null; error: string };

interface Waiting {
  id: number;
  thought: (thought: Thought) => void;
  done: (thought: Thought | null) => void;
  failed: (error: Error) => void;
}

export class Thinker {
  private socket: WebSocket | null = null;
  /** the socket once it is open: all who ask before that wait for the same one */
  private opened: Promise<WebSocket> | null = null;
  private waiting: Waiting | null = null;
  private count = 0;

  /** Ask; resolves with the last thought, or with null if another question or stop() came between. */
  async think(question: Question, thought: (thought: Thought) => void): Promise<Thought | null> {
    this.drop();
    const id = ++this.count;
    const socket = await this.connect();
    if (id !== this.count) return null;
    return new Promise((done, failed) => {
      this.waiting = { id, thought, done, failed };
      socket.send(JSON.stringify({ type: "think", id, ...question }));
    });
  }

  /** End the question; with answer it is answered by what was found so far. */
  stop(answer = false): void {
    if (this.socket?.readyState === WebSocket.OPEN && this.waiting)
      this.socket.send(JSON.stringify({ type: "stop", answer }));
    if (!answer) this.drop();
  }

  private drop(): void {
    this.count++;
    this.waiting?.done(null);
    this.waiting = null;
  }

  private connect(): Promise<WebSocket> {
    const { socket: before, opened } = this;
    if (before && opened && before.readyState <= WebSocket.OPEN) return opened; // or about to be
    const url = new URL("/api/think", location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(url);
    this.socket = socket;
    socket.onmessage = (event) => this.take(JSON.parse(event.data as string) as Answer);
    const lost = () => {
      if (this.socket !== socket) return;
      this.socket = null;
      const waiting = this.waiting;
      this.waiting = null;
      waiting?.failed(new Lost("The connection to the server was lost. Is glaux serve still running?"));
    };
    this.opened = new Promise((resolve, reject) => {
      socket.onopen = () => resolve(socket);
      socket.onclose = () => {
        lost();
        reject(new Lost("The server does not answer. Is glaux serve still running?"));
      };
    });
    return this.opened;
  }

  private take(answer: Answer): void {
    const waiting = this.waiting;
    if (!waiting || (answer.id !== null && answer.id !== waiting.id)) return;
    if (answer.type === "thought") {
      waiting.thought(answer);
      return;
    }
    this.waiting = null;
    if (answer.type === "error") waiting.failed(new Refused(answer.error));
    else waiting.done(answer);
  }
}
