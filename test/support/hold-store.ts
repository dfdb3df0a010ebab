// A process of its own that holds a database until it is told to let go, or killed.

import { openStore } from '../../src/bot/store/open.ts';
import { systemClock } from '../../src/lib/clock.ts';

const store = await openStore({ file: process.argv[2] ?? '', clock: systemClock });
console.log('held');
process.stdin.once('data', async () => {
  await store.close();
  process.exit(0);
});
