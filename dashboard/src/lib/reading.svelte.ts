/** Something read from the API, kept current. */
import { isOffline } from "./api.js";

/** Longest pause after a failure, in seconds. */
const MAX_PAUSE = 15;

/**
 * Reads a value, again after each interval while the page is visible. An error leaves the last value in place; if the
 * server cannot be reached, it is asked again after a growing pause.
 */
export class Reading<T> {
  value = $state.raw<T>();
  error = $state.raw<unknown>();
  /** Seconds until the next attempt; 0 while there is nothing to wait for. */
  retryIn = $state(0);
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #abort = new AbortController();
  #read: (signal: AbortSignal) => Promise<T>;
  #interval: (value: T) => number | undefined;

  /** `interval` returns the seconds until the next read; `undefined` ends it. */
  constructor(
    read: (signal: AbortSignal) => Promise<T>,
    interval: (value: T) => number | undefined = () => undefined,
  ) {
    this.#read = read;
    this.#interval = interval;
    void this.refresh();
  }

  refresh = async (): Promise<void> => {
    clearTimeout(this.#timer);
    const { signal } = this.#abort;
    if (signal.aborted) return;
    this.retryIn = 0;
    try {
      const value = await this.#read(signal);
      if (signal.aborted) return;
      [this.value, this.error, this.#failures] = [value, undefined, 0];
      const seconds = this.#interval(value);
      if (seconds !== undefined) this.#wait(seconds);
    } catch (error) {
      if (signal.aborted) return;
      this.error = error;
      if (!isOffline(error)) return;
      this.retryIn = Math.min(2 ** this.#failures, MAX_PAUSE);
      this.#failures += 1;
      this.#countDown();
    }
  };

  #countDown(): void {
    this.#timer = setTimeout(() => {
      if (this.retryIn > 1) {
        this.retryIn -= 1;
        this.#countDown();
      } else {
        void this.refresh();
      }
    }, 1000);
  }

  #wait(seconds: number): void {
    this.#timer = setTimeout(() => {
      // A hidden page asks for nothing.
      if (document.hidden) this.#wait(seconds);
      else void this.refresh();
    }, seconds * 1000);
  }

  stop = (): void => {
    clearTimeout(this.#timer);
    this.#abort.abort();
  };
}
