// A process of its own that holds a database until it is told to let go, or killed.

import { systemClock } from '../../src/lib/clock.ts';
import { openStore } from '../../src/store/open.ts';

const store = await openStore({ file: process.argv[2] ?? '', clock: systemClock });
console.log('held');
process.stdin.once('data', async () => {
  await store.close();
  process.exit(0);
});
