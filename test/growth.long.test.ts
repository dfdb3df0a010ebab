import { expect, it } from 'vitest';
import { webhookFormats } from '../src/bot/alerts/formats/index.ts';
import { nearestOf } from '../src/bot/alerts/nearest.ts';
import { parseAlert } from '../src/bot/alerts/parse.ts';
import { splitMarkdown } from '../src/bot/render/markdown/split.ts';
import { createMasking } from '../src/lib/masking.ts';
import { ofOthers } from '../src/lib/mcp.ts';
import { redactor } from '../src/lib/redact.ts';
import { linesOf } from '../src/service/agent/understand.ts';
import { LogTemplates } from '../src/service/investigation/log-templates.ts';
import { explain, explainQuestions } from '../src/tools/explain.ts';
import { anAlert } from './support/an-alert.ts';
import { cpuMs, growth } from './support/cpu-time.ts';
import { messagesOf, PIECES } from './support/repeated.ts';

/** Twice as much takes no more than that many times the work. */
const MOST = 2.5;
/** Of work that takes less, in milliseconds, the fixed part is most. */
const LEAST_MS = 4;

const redact = redactor(['a secret of the tests']);
const masking = createMasking();
const numbered = (piece: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${piece} ${n} x${n * 31}`);

/** What reads text of others, each on `n` thousand characters, or as many entries, that a piece is repeated in. */
const READERS: Readonly<Record<string, (piece: string, n: number) => unknown>> = {
  messages: (piece, n) => messagesOf(repeated(piece, n)).map(parseAlert),
  webhooks: (piece, n) => webhookFormats.map((format) => format.read(body(piece, n * 10), {})),
  explain: (piece, n) => explain('pasted.txt', repeated(piece, n)),
  'explained questions': (piece, n) =>
    explainQuestions(
      numbered(piece, n)
        .map((question, id) => JSON.stringify({ id: String(id), question, services: ['shop'] }))
        .join('\n'),
      true,
    ),
  'a recovery and open alerts': (piece, n) =>
    nearestOf(
      anAlert({ title: repeated(piece, 1) }),
      numbered(piece, n * 10).map((title) => ({ alert: anAlert({ title }), of: title })),
    ),
  'log lines': (piece, n) => {
    const templates = new LogTemplates();
    for (const line of numbered(`failed ${piece}`, n * 100)) templates.of('error', line);
  },
  'attached logs': (piece, n) => linesOf(numbered(piece, n * 50).join('\n')),
  'answers in Markdown': (piece, n) => splitMarkdown(repeated(piece, n), { cost: 12_000, blocks: 40 }),
  masking: (piece, n) => masking.text(repeated(piece, n)),
  redaction: (piece, n) => redact(repeated(piece, n)),
  marks: (piece, n) => ofOthers(repeated(piece, n)),
};

function repeated(piece: string, thousands: number): string {
  return piece.repeat((thousands * 1_000) / piece.length);
}

/** The fields that tools send alerts in, all of them. */
function body(piece: string, count: number) {
  const text = repeated(piece, 1);
  const fields = {
    title: text,
    message: text,
    text,
    labels: { alertname: text },
    annotations: { summary: text },
  };
  const alerts = Array.from({ length: count }, (_, id) => ({
    id,
    status: 'firing',
    fingerprint: String(id),
    ...fields,
  }));
  return { status: 'firing', alerts, ...fields };
}

it.each(Object.entries(READERS))('twice as much takes twice the work: %s', (_name, read) => {
  const slow: Record<string, number> = {};
  // A few of them each: all of them take an hour.
  for (const piece of PIECES.filter((_, at) => at % 6 === 0)) {
    read(piece, 4);
    const before = cpuMs();
    read(piece, 8);
    if (cpuMs() - before < LEAST_MS) continue;
    const times = growth(
      () => read(piece, 4),
      () => read(piece, 8),
      MOST,
    );
    if (times > MOST) slow[piece] = times;
  }
  expect(slow).toEqual({});
});
