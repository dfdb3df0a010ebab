import { expect, it } from 'vitest';
import { ChannelSettings } from '../../../src/bot/store/channel-settings.ts';
import { addCreated, newIssue } from '../../support/issues.ts';
import { openTestStore } from '../../support/open-test-store.ts';

it('a scratch store has the settings and what people taught, takes issues over, and leaves no trace', async () => {
  await using opened = await openTestStore();
  const { store } = opened;
  await store.channels.watch('C1', ChannelSettings.parse({ minimumSeverity: 'high' }), '0.000000');
  await store.identityOverrides.join('disk@production', 'cpu@production');
  await addCreated(store, 0, { id: 'known', identity: 'cpu@production', number: 7 });
  const known = await store.issues.get('known');
  if (known === null) throw new Error('it is not there');
  const scratch = await store.scratch();
  expect(await scratch.channels.get('C1')).toEqual(await store.channels.get('C1'));
  expect(await scratch.identityOverrides.resolve('disk@production', '')).toBe('cpu@production');
  expect(await scratch.issues.get('known')).toBeNull();
  await scratch.issues.add(newIssue({ id: 'filed', identity: 'cpu@production' }));
  await scratch.adopt(known);
  await scratch.adopt(known);
  expect(await scratch.issues.openByIdentity('cpu@production')).toMatchObject({ id: 'known', number: 7 });
  await scratch.close();
  expect(await store.issues.get('filed')).toBeNull();
});
