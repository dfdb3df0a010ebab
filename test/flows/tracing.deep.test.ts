import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { alertmanagerAlert, repliesTo, wordsOf } from '../support/alerts.ts';
import { startChild, untilPrinted } from '../support/child.ts';
import { patientServer } from '../support/patient-server.ts';
import { startSurroundings } from '../support/program.ts';
import { until } from '../support/until.ts';

const Span = z.looseObject({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes: z.array(
    z.object({ key: z.string(), value: z.looseObject({ stringValue: z.string().optional() }) }),
  ),
});
type Span = z.infer<typeof Span>;
const Export = z.object({
  resourceSpans: z.array(z.looseObject({ scopeSpans: z.array(z.looseObject({ spans: z.array(Span) })) })),
});

/** A receiver of OTLP over HTTP that keeps what it is sent. */
async function receiver() {
  const bodies: string[] = [];
  const seen: { path: string | undefined; token: string | undefined }[] = [];
  const server = patientServer(async (req, res) => {
    bodies.push((await buffer(req)).toString());
    seen.push({ path: req.url, token: req.headers.authorization });
    res.setHeader('content-type', 'application/json').end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const spans = (): Span[] =>
    bodies.flatMap((body) =>
      Export.parse(JSON.parse(body)).resourceSpans.flatMap(({ scopeSpans }) =>
        scopeSpans.flatMap((scope) => scope.spans),
      ),
    );
  return { url: `http://127.0.0.1:${port}`, bodies, seen, spans };
}

const attribute = (span: Span | undefined, name: string) =>
  span?.attributes.find(({ key }) => key === name)?.value.stringValue;

it('an alert and a question are a trace each, from their delivery to their posts, over a restart', async () => {
  const otlp = await receiver();
  const around = await startSurroundings('socket');
  onTestFinished(() => around.close());
  const env = {
    ...around.env,
    LOG_LEVEL: 'info',
    OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20the-token',
  };
  const start = async () => {
    const child = startChild('src/start.ts', env, around.folder);
    onTestFinished(() => void child.process.kill('SIGKILL'));
    await untilPrinted(child, /Gumshoe is running/u);
    return child;
  };
  const stop = async (child: Awaited<ReturnType<typeof start>>) => {
    child.process.kill('SIGTERM');
    expect(await child.ended).toBe(0);
  };
  const first = await start();
  const { ts } = await around.workspace.post(alertmanagerAlert('VerySecretTitle'));
  const said = (pattern: RegExp) => repliesTo(around, ts).some((one) => pattern.test(wordsOf(one)));
  await until('the card has its number', () => said(/#\d/u));
  await stop(first);
  const second = await start();
  await until('the results are there', () => said(/Results of/u));
  const text = `<@${around.workspace.botUserId}> a very secret question?`;
  const question = await around.workspace.post({ channel: 'general', user: 'U0BOB00001', text });
  const { general } = around.workspace.channels;
  await until('it is answered', () => around.workspace.messages(general, question.ts).length > 1);
  await stop(second);

  const spans = otlp.spans();
  const named = (name: string, of: readonly Span[] = spans) => of.filter((span) => span.name === name);
  const under = (parent: Span | undefined) => spans.filter((span) => span.parentSpanId === parent?.spanId);
  const roots = spans.filter(({ parentSpanId = '' }) => parentSpanId === '');
  const rootOf = (kind: string) => roots.find((span) => attribute(span, `gumshoe.${kind}.id`) !== undefined);
  const [ofIssue, ofQuestion] = [rootOf('issue'), rootOf('question')];
  expect(roots).toEqual([ofIssue, ofQuestion]);
  // What arrives before the connection stands is read from the channel's history.
  expect(ofIssue?.name).toMatch(/^(?:delivery from Slack|message read after a gap)$/u);

  // Before the restart and after it, in one trace.
  const work = under(ofIssue);
  for (const name of ['create issue', 'deliver card', 'poll issue', 'deliver result']) {
    expect(named(name, work), name).not.toEqual([]);
  }
  const created = named('service issues.create', under(named('create issue', work)[0]));
  expect(attribute(created[0], 'gumshoe.service.request_id')).toMatch(/\w{8}/u);
  const posts = named('deliver result', work).flatMap((span) => named('slack chat.postMessage', under(span)));
  expect(posts).toHaveLength(1);
  const asked = named('ask the agent', under(ofQuestion));
  expect(asked).toHaveLength(1);
  expect(named('deliver answer', under(ofQuestion))).not.toEqual([]);

  for (const span of spans)
    expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano));
  expect(new Set(otlp.seen.map(({ path, token }) => `${path} ${token}`))).toEqual(
    new Set(['/v1/traces Bearer the-token']),
  );
  expect(otlp.bodies.join()).not.toMatch(/secret/iu);
});
