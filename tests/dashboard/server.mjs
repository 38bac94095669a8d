/** A server of the service in a process of its own, which tests can kill and start again. */
import { execFile, spawn } from "node:child_process";
import { createServer } from "node:net";
import { promisify } from "node:util";

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resume) => server.once("listening", resume));
  const { port } = server.address();
  await new Promise((resume) => server.close(resume));
  return port;
}

/** Seconds that a server may take to start, and to end. */
const SECONDS = 60;

/** Returns what `promise` gives, and throws if it takes longer than so many seconds. */
export async function within(seconds, what, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} takes longer than ${seconds} s`)), 1000 * seconds);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

export class Server {
  /** `work` is a directory of its own. */
  constructor(binary, work) {
    Object.assign(this, { binary, work });
  }

  /** Starts the server; the first start shows `key` and `link`. */
  async start() {
    this.port ??= await freePort();
    this.address = `http://127.0.0.1:${this.port}`;
    const options = ["serve", "--listen", `127.0.0.1:${this.port}`, "--allow-data", `file://${this.work}/`];
    const env = { ...process.env, TRAINYARD_DATA_DIR: `${this.work}/data`, RUST_LOG: "warn" };
    this.process = spawn(this.binary, options, { env, stdio: ["ignore", "ignore", "pipe"] });
    let log = "";
    const ready = new Promise((resolve, reject) => {
      this.process.stderr.on("data", (part) => {
        log += part;
        if (log.includes("listening on ")) resolve();
      });
      this.process.once("exit", () => reject(new Error(`the server did not start:\n${log}`)));
    });
    await within(SECONDS, "the start of the server", ready);
    this.key ??= /\bty_[0-9A-Za-z]{49}\b/.exec(log)?.[0];
    this.link ??= /http:\S+\/dashboard\/#code=[0-9a-f]+/.exec(log)?.[0];
    this.log = log;
  }

  /** Ends the server at once, as a crash does. */
  async kill() {
    const ended = new Promise((resume) => this.process.once("exit", resume));
    this.process.kill("SIGKILL");
    await within(SECONDS, "the end of the server", ended);
  }

  /** Sends a request with the API key and further headers, and returns the body of its successful response. */
  async api(method, path, body, more = {}) {
    const headers = { authorization: `Bearer ${this.key}`, "content-type": "application/json", ...more };
    const response = await fetch(this.address + path, { method, headers, body: body && JSON.stringify(body), signal: AbortSignal.timeout(1000 * SECONDS) });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  }

  /** Returns a new key of an operator, made on the command line. */
  async operatorKey() {
    const env = { ...process.env, TRAINYARD_DATA_DIR: `${this.work}/data` };
    const { stdout } = await promisify(execFile)(this.binary, ["keys", "create", "--entity", "operators", "--admin"], { env, timeout: 1000 * SECONDS });
    return /\bty_[0-9A-Za-z]{49}\b/.exec(stdout)[0];
  }

  /** Registers a model. */
  async model(name) {
    return this.api("POST", "/v1/preview/models", { project: "demo", name, base_model: "trainyard/seedling" });
  }

  /** Waits until a job has ended, and returns it. */
  async ended(id, seconds = 240) {
    for (let attempt = 0; attempt < 10 * seconds; attempt += 1) {
      const job = await this.api("GET", `/v1/preview/training-jobs/${id}`);
      if (!["queued", "running"].includes(job.status)) return job;
      await new Promise((resume) => setTimeout(resume, 100));
    }
    throw new Error(`job ${id} does not end`);
  }
}
