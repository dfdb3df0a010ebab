import fc from 'fast-check';
import { refusedHome, renderHome } from '../../../../src/bot/render/home/home.ts';
import type { HomePageView } from '../../../../src/bot/render/home/view.ts';
import { nothingWaits } from '../../../../src/bot/render/notices.ts';
import * as some from './inputs.ts';
import { program } from './messages.ts';
import { type Renderer, renderer } from './renderer.ts';

const { number, text, flag, maybe, at } = some;

const issue = fc.record({
  issueId: fc.oneof(fc.uuid(), fc.constantFrom('', 'x'.repeat(2001))),
  number: maybe(number),
  title: text,
  group: fc.constantFrom('failed', 'ready', 'unexplained', 'investigating', 'muted'),
  status: some.status,
  severity: text,
  environment: text,
  service: maybe(text),
  statusSince: at,
  mutedUntil: maybe(at),
  channel: some.channel,
  url: maybe(some.url),
  gone: flag,
});
const channel = fc.record({ id: some.channel, lastAlertAt: maybe(at), held: number, catchingUp: flag });
const home: fc.Arbitrary<HomePageView> = fc.record({
  note: maybe(fc.constant(nothingWaits())),
  setup: maybe(some.setup),
  counts: fc.record({
    failed: number,
    ready: number,
    unexplained: number,
    investigating: number,
    muted: number,
  }),
  issues: fc.uniqueArray(issue, { selector: ({ issueId }) => issueId, maxLength: 60, size: 'max' }),
  page: fc.nat({ max: 3 }),
  pages: fc.nat({ max: 4 }),
  channels: some.list(channel),
  paused: maybe(some.pause),
  program: maybe(program),
  degraded: some.list(text),
  simulated: flag,
});

/** What stands on the app's Home. */
export const homes: Renderer[] = [renderer(renderHome, home), renderer(refusedHome, fc.constant('No.'))];
