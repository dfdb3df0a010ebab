import fc from 'fast-check';
import type { Severity } from '../../../../src/bot/alerts/types.ts';
import { REASONS, type Reason } from '../../../../src/bot/store/reasons.ts';
import type { Artifact } from '../../../../src/contract/answers.ts';
import { anyText } from '../../../support/arbitrary-views.ts';

/** Ids that a mention of ours may name. What is no id of Slack's must not become one. */
export const MAY = { users: ['U0ALICE'], channels: ['C0HOME'] };

export const text = anyText;
/** The only reasons with text from outside: a channel's pattern, and a sentence that an earlier release stored. */
export const reason = fc.oneof(
  text.map((pattern): Reason => ({ code: 'excluded', pattern })),
  text.map((words): Reason => ({ code: 'worded', text: words })),
  fc.constantFrom<Reason[]>(...REASONS),
);
export const number = fc.nat();
export const flag = fc.boolean();
export const maybe = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(of, { nil: null });
export const list = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc.oneof(fc.array(of, { maxLength: 4 }), fc.array(of, { maxLength: 130, size: 'max' }));
export const userId = fc.oneof(fc.constant('U0ALICE'), text);
export const channel = fc.oneof(
  fc.constant('C0HOME'),
  text.map((one) => one.toWellFormed()),
);
export const url = fc.oneof(fc.webUrl(), text);
export const at = fc.oneof(
  fc.integer({ min: 0, max: 4_000_000_000_000 }),
  fc.constantFrom(-1, Number.NaN, Number.POSITIVE_INFINITY, 1e18),
);
export const severity = fc.constantFrom<Severity>('low', 'medium', 'high');
/** As a manifest may name it. */
export const command = fc.constantFrom('/issue', '/dev-investigate', '/gumshoe');
/** A status of the document's, or one that the service has invented since. */
export const status = fc.oneof(
  fc.constantFrom('investigating', 'ready_to_fix', 'resolved', 'muted', 'deleted', 'constructor'),
  text,
);
/** What our own code keeps in a modal: ids alone. */
export const metadata = fc.constantFrom('{}', '{"issueId":"a","channel":"C0HOME"}');
export const pause = fc.record({ by: userId, at });
export const reference = fc.record({ number: maybe(number), status, title: maybe(text), url: maybe(url) });
export const named = fc.record({ number, title: maybe(text) });
/** The first steps of an installation. */
export const setup = fc.record({
  service: flag,
  simulated: flag,
  watching: flag,
  filed: flag,
  verdict: flag,
  asked: flag,
});
export const noticeIssue = fc.record({ number, title: text, simulated: flag });
/** A record, any of whose fields may be missing. */
export const sparse = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(model, { requiredKeys: [] });

/** Of a message. */
export const ts = fc.stringMatching(/^\d{10}\.\d{6}$/);

const key = fc.oneof(
  fc.constantFrom('name', 'unit', 'message', 'timestamp', 'service', 'attributes', 'key', 'value'),
  fc.constantFrom('logs', 'entries', 'spans', 'traces', 'patterns', 'changes', 'alerts', 'clusters'),
  fc.constantFrom('dataPoints', 'asDouble', 'asInt', 'timeUnixNano', 'stringValue', 'duration', 'diff'),
  text,
);
const values = [text, fc.double(), fc.boolean(), fc.constant(null), fc.integer().map(String)];

/** Evidence of any kind, the known ones too, whatever its data. */
export const artifact: fc.Arbitrary<Artifact> = sparse({
  id: text,
  provider: text,
  providerUrl: url,
  summary: text,
  createdAt: text,
  type: fc.oneof(fc.constantFrom('metric', 'log', 'trace', 'change', 'alert', 'log_cluster'), text),
  data: fc.object({ key, values, maxDepth: 4, maxKeys: 12 }),
});
