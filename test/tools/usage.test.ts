import { expect, it } from 'vitest';
import { runTool } from '../support/run-tool.ts';

it.each(['bench', 'doctor', 'rca', 'move', 'audit-export', 'explain'])(
  '%s answers a flag that it does not know with its usage',
  async (tool) => {
    const { code, stdout, stderr } = await runTool(`src/tools/${tool}.ts`, ['--nonsense'], {});
    expect({ code, stdout }).toEqual({ code: tool === 'explain' ? 1 : 2, stdout: '' });
    expect(stderr).toContain(
      `usage: npm run ${/^(?:rca|audit-export|explain)$/u.test(tool) ? '-s ' : ''}${tool}`,
    );
    expect(stderr).not.toMatch(/\n\s+at /u);
  },
);

it.each(['bench', 'doctor'])('%s --help prints its usage', async (tool) => {
  const { code, stdout, stderr } = await runTool(`src/tools/${tool}.ts`, ['--help'], {});
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain(`usage: npm run ${tool}`);
});
