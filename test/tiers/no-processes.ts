import { subscribe } from 'node:diagnostics_channel';

// The setup of the first tier: its tests start no process, nor does what they test. Whoever needs one is `*.deep.test.ts`.
subscribe('child_process', () => {
  throw new Error('A test of the first tier started a process: name its file *.deep.test.ts.');
});
