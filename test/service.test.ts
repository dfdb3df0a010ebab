import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { service } from '../src/service.ts';
import { temporaryFolder, testService } from './service/support.ts';
import { call, launch } from './support/call.ts';

describe('npm run service', () => {
  it.each(['SIGTERM', 'SIGINT'])('runs until %s, and ends with 0', async (signal) => {
    const DATABASE_URL = `sqlite:${join(temporaryFolder(), 'service.db')}`;
    const env = { PORT: '0', DATABASE_URL, LOG_LEVEL: 'silent', CHANGES_TOKEN: 'a-token' };
    const { printed, prints, emit, ended } = launch(service, [], env);
    const [, url = ''] = await prints(/listening at (\S+)[\s\S]*API key/u);
    expect(printed.stdout).toBe(
      `The Issue Investigation Service (simulated systems) is listening at ${url}\n` +
        `Changes are accepted at ${new URL('/changes', url)}\n` +
        'API key: development-key (set SERVICE_API_KEYS to change it)\n',
    );
    const answer = await fetch(`${url}/issues`, { headers: { authorization: 'Bearer development-key' } });
    expect(await answer.json()).toEqual({ object: 'list', data: [], has_more: false });
    emit(signal);
    expect(await ended).toBe(0);
    await expect(fetch(`${url}/issues`)).rejects.toThrow('fetch failed');
    expect(printed.stderr).toBe('');
  });

  it('says in a line each what is wrong with its settings', async () => {
    expect(await call(service, [], { PORT: 'x', DATABASE_URL: 'mysql:x' })).toEqual({
      code: 1,
      stdout: '',
      stderr: `PORT must be a whole number from 0 to 65535; for example PORT=4010
DATABASE_URL must start with sqlite: or postgres://; for example DATABASE_URL=postgres://gumshoe:password@database.example.com/gumshoe_service
`,
    });
  });

  it('warns of a variable whose name is a slip away from one that it reads', async () => {
    const { service: other } = await testService();
    const { port } = new URL(other().url);
    const DATABASE_URL = `sqlite:${join(temporaryFolder(), 'service.db')}`;
    const env = { PORT: port, DATABASE_URL, LOG_LEVEL: 'silent', CHANGE_TOKEN: 'a-token' };
    expect((await call(service, [], env)).stderr).toMatch(
      /^warning: CHANGE_TOKEN is set, but Gumshoe reads no such variable: did you mean CHANGES_TOKEN\?\n/u,
    );
  });

  it('says in a sentence that the port is in use', async () => {
    const { service: other } = await testService();
    const { port } = new URL(other().url);
    const DATABASE_URL = `sqlite:${join(temporaryFolder(), 'service.db')}`;
    expect(await call(service, [], { PORT: port, DATABASE_URL, LOG_LEVEL: 'silent' })).toEqual({
      code: 1,
      stdout: '',
      stderr: `Port ${port} is in use: stop whatever is using it, or set PORT to another port.\n`,
    });
  });
});
