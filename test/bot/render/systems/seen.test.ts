import { expect, it } from 'vitest';
import { renderSeen } from '../../../../src/bot/render/systems/seen.ts';

const venue = {
  name: 'venue',
  seen: ['requests'],
  missing: ['calls'],
  unread: [],
  readFrom: ['latency: venue_seconds'],
};
const gate = { name: 'gate', seen: [], missing: [], unread: ['a', 'b', 'c', '<!channel>'], readFrom: [] };
const textsOf = (...asked: Parameters<typeof renderSeen>) =>
  JSON.stringify(renderSeen(...asked).blocks)
    .match(/(?<="text":")(?:[^"\\]|\\.)+/gu)
    ?.map((text) => text);

it('has a line a service, and all that is not recognized of the one that is asked for', () => {
  expect(textsOf({ services: [venue, gate], notes: ['3 more services are not listed.'] }, '')).toEqual([
    '*What I see of 2 services*',
    'venue: requests; no calls',
    'gate: 4 metrics are not recognized (a, b, c, …)',
    '3 more services are not listed.',
    expect.stringContaining('SIGNALS'),
  ]);
  expect(textsOf({ services: [venue, gate], notes: [] }, 'Gate')?.slice(0, 2)).toEqual([
    '*What I see of Gate*',
    'gate: 4 metrics are not recognized (a, b, c, &lt;!channel&gt;)',
  ]);
});

it('says of the one that is asked for what its measures are read from', () => {
  expect(textsOf({ services: [venue, gate], notes: [] }, 'venue')).toEqual([
    '*What I see of venue*',
    'venue: requests; no calls',
    '*Read from*\\n• latency: venue_seconds',
  ]);
});

it('says what there is where the name is unknown, and that another service does not say', () => {
  expect(textsOf({ services: [venue, gate], notes: [] }, 'cart')).toEqual([
    'I see no service cart. I see: venue, gate.',
  ]);
  expect(textsOf(null, '')).toEqual([expect.stringContaining('not Gumshoe’s own')]);
});
