import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { Clock } from '../../lib/clock.ts';
import type { ServiceLog } from '../log.ts';
import type { QueryAnswer } from '../schema/query.ts';

const WORDS_PER_DELTA = 3;
const PAUSE_MS = 30;

/**
 * Sends an answer as server-sent events: `delta` (`{"delta": "…"}`, a few words each, which together form the answer),
 * `artifact` (`{"artifacts": [one]}`), and finally `done` with the whole answer (contract, 2.9).
 */
export function streamAnswer(
  c: Context,
  answer: QueryAnswer,
  { clock, closing, log }: { clock: Clock; closing: AbortSignal; log: ServiceLog },
): Response {
  return streamSSE(
    c,
    async (stream) => {
      const send = (event: string, data: unknown) => stream.writeSSE({ event, data: JSON.stringify(data) });
      for (const delta of deltasOf(answer.answer)) {
        if (stream.aborted) return;
        await send('delta', { conversation_id: answer.conversation_id, delta });
        if (!closing.aborted) await clock.sleep(PAUSE_MS, closing).catch(() => undefined);
      }
      for (const artifact of answer.artifacts) await send('artifact', { artifacts: [artifact] });
      await send('done', answer);
    },
    async (error) => log.error({ err: error }, 'a streamed answer was cut short'),
  );
}

function deltasOf(answer: string): string[] {
  const words = answer.match(/\S+\s*|^\s+/gu) ?? [];
  const deltas: string[] = [];
  for (let at = 0; at < words.length; at += WORDS_PER_DELTA) {
    deltas.push(words.slice(at, at + WORDS_PER_DELTA).join(''));
  }
  return deltas;
}
