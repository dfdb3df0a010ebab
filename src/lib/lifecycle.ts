/** A component that runs from `start` to `stop`. */
interface Part {
  start(): unknown;
  stop(): unknown;
}

/** What has been started so far, in order. */
export interface Lifecycle {
  /** Starts a part. It will be stopped even if its start fails halfway. */
  start(name: string, part: Part): Promise<void>;
  /** Registers how to stop something that is already running. */
  onStop(name: string, stop: () => unknown): void;
}

interface Started<T> {
  value: T;
  /** Stops the parts in the reverse of the order they were started in, one after the other. A second call does nothing. */
  stop(): Promise<void>;
}

/**
 * Starts parts in order. If one fails, the running ones are stopped before the error is rethrown. A part that fails to
 * stop does not keep the others from stopping.
 *
 * @param onStopFailed called with the part that did not stop, and why
 */
export async function startInOrder<T>(
  build: (lifecycle: Lifecycle) => Promise<T>,
  onStopFailed: (error: unknown, name: string) => void,
): Promise<Started<T>> {
  await using starting = new AsyncDisposableStack();
  const onStop = (name: string, stop: () => unknown): void =>
    starting.defer(async () => {
      try {
        await stop();
      } catch (error) {
        onStopFailed(error, name);
      }
    });
  const value = await build({
    onStop,
    start: async (name, part) => {
      onStop(name, () => part.stop());
      await part.start();
    },
  });
  const running = starting.move();
  return { value, stop: () => running.disposeAsync() };
}
