import { expect, it } from 'vitest';
import { openTestStore } from '../../support/open-test-store.ts';

it('a file that is shared anew is the newest upload, waited for as long as that', async () => {
  await using opened = await openTestStore();
  const { files } = opened.store;
  await files.sharing('file', null, 'F1', 5);
  await files.sharing('file', null, 'F2', 9);
  expect(await files.get('file')).toMatchObject({ fileId: 'F2', nextAt: 9 });
});
