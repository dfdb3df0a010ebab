import { benchIdle } from './load/promises.ts';
console.log(await benchIdle(Number(process.argv[2] ?? 60)));
process.exit(0);
