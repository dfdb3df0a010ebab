import { afterEach, beforeEach, expect, it } from 'vitest';
import { organizationFor } from '../../../src/bot/filing/privacy.ts';
import { openTestStore } from '../../support/open-test-store.ts';

let opened: Awaited<ReturnType<typeof openTestStore>>;

beforeEach(async () => {
  opened = await openTestStore();
  await opened.store.channels.learn('C0SECRET', true);
  await opened.store.channels.learn('C0OPEN', false);
});

afterEach(() => opened[Symbol.asyncDispose]());

it.each([
  ['a private channel', 'C0SECRET', 'private'],
  ['a channel that Slack has said nothing of yet', 'C0NEW', 'private'],
  ['a public channel', 'C0OPEN', 'default'],
  ['a direct message', 'D0BOB', 'default'],
])('an issue from %s is filed in the right organization', async (_what, channel, organization) => {
  const { channels } = opened.store;
  expect(await organizationFor({ channels, hasPrivateOrganization: true }, channel)).toBe(organization);
  expect(await organizationFor({ channels, hasPrivateOrganization: false }, channel)).toBe('default');
});
