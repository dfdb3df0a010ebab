import type { Budget } from '../budget.ts';
import { known, type Reading, type Window } from '../model.ts';
import type { PrometheusClient, Sampled } from './client.ts';

interface Question {
  expression: string;
  subject: string;
}

interface Over {
  window: Window;
  stepMs: number;
  budget: Budget;
}

/** The label by which the answers of one request are told apart. */
const PART = 'part_of_query';
const MOST_TOGETHER = 16;
/** VictoriaMetrics takes queries of up to 16 kB. */
const LONGEST = 12_000;

/** Asks several questions in few requests; each has its own answer, and one that cannot be answered costs no other. */
export async function askedTogether(
  client: Pick<PrometheusClient, 'queryRange'>,
  questions: readonly Question[],
  over: Over,
): Promise<Reading<Sampled[]>[]> {
  const answers = await Promise.all(batchesOf(questions).map((batch) => askedAtOnce(client, batch, over)));
  return answers.flat();
}

async function askedAtOnce(
  client: Pick<PrometheusClient, 'queryRange'>,
  batch: readonly Question[],
  { window, stepMs, budget }: Over,
): Promise<Reading<Sampled[]>[]> {
  const alone = ({ expression, subject }: Question) =>
    client.queryRange(expression, window, stepMs, budget, { subject });
  const [first, ...rest] = batch;
  if (first === undefined) return [];
  if (rest.length === 0) return [await alone(first)];
  const parts = batch.map(({ expression }, i) => `label_replace(${expression}, "${PART}", "${i}", "", "")`);
  const reading = await client.queryRange(parts.join(' or '), window, stepMs, budget, {
    subject: ({ [PART]: part }) => batch[Number(part)]?.subject ?? '',
  });
  if (!reading.known) {
    const again = await alone(first);
    // Where the server does not answer at all, it is not asked for each.
    if (!again.known && again.reason === reading.reason) return batch.map(() => again);
    return [again, ...(await Promise.all(rest.map(alone)))];
  }
  const found = Map.groupBy(reading.value, ({ labels }) => labels[PART]);
  return batch.map((_, i) => {
    const own = (found.get(String(i)) ?? []).map(({ labels: { [PART]: _part, ...labels }, points }) => ({
      labels,
      points,
    }));
    return known(own, i === 0 ? reading.caveats : []);
  });
}

function batchesOf(questions: readonly Question[]): Question[][] {
  const batches: Question[][] = [];
  let length = 0;
  for (const question of questions) {
    const last = batches.at(-1);
    length += question.expression.length;
    if (last === undefined || last.length === MOST_TOGETHER || length > LONGEST) {
      batches.push([question]);
      length = question.expression.length;
    } else last.push(question);
  }
  return batches;
}
