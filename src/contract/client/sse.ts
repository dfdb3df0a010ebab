import { createParser, type EventSourceMessage } from 'eventsource-parser';

/** One event of a stream. */
export interface SseEvent {
  /** Its name; `null` if the stream gives none. */
  event: string | null;
  data: string;
  /** The stream ended before the blank line that ends an event, so its data may be cut. */
  cut: boolean;
}

/**
 * The events in a stream of bytes, however these are split. Comments and events without data are left out;
 * an event that the end of the stream cuts off is yielded, marked. A failure of the source passes through,
 * after what arrived before it.
 */
export async function* readEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<SseEvent> {
  const arrived: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => arrived.push(event) });
  const decoder = new TextDecoder();
  const take = function* (cut: boolean): Generator<SseEvent> {
    for (const { event, data } of arrived.splice(0)) yield { event: event ?? null, data, cut };
  };
  let failure: { error: unknown } | null = null;
  try {
    for await (const chunk of chunks) {
      parser.feed(decoder.decode(chunk, { stream: true }));
      yield* take(false);
    }
  } catch (error) {
    failure = { error };
  }
  parser.feed(decoder.decode());
  yield* take(false);
  // Ends the line and then the event, also where a lone carriage return stood last.
  parser.feed('\n\n\n');
  yield* take(true);
  if (failure !== null) throw failure.error;
}
