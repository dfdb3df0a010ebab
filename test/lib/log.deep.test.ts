import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

describe('standard output, written once a turn', () => {
  it('has every line in order, also those of the turn in which the program exits', () => {
    const program = `
      import { createLogger, stdoutByTurn } from ${JSON.stringify(import.meta.resolve('../../src/lib/log.ts'))};
      const log = createLogger('info', stdoutByTurn());
      log.info('first');
      setTimeout(() => {
        log.info('x'.repeat(20_000));
        log.error('last');
        process.exit(3);
      }, 10);`;
    const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
    });
    const said = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).msg);
    expect([status, said]).toEqual([3, ['first', 'x'.repeat(20_000), 'last']]);
  });
});
