import { expect, it } from 'vitest';
import { testService } from '../service/support.ts';
import { section } from './document.ts';

const STATUSES = ['investigating', 'ready_to_fix', 'resolved', 'muted'];

it('3 the statuses are those that the document names', () => {
  const [sentence = ''] = section('3').text.trim().split('. ');
  expect(Array.from(sentence.matchAll(/`(\w+)`/gu), ([, name]) => name)).toEqual(['status', ...STATUSES]);
});

it('3 a new issue is investigating, then ready to fix, and stays what a person set, over a restart too', async () => {
  const service = await testService({ investigationMs: 0 });
  const issues = await Promise.all(STATUSES.map(() => service.create()));
  expect(issues.map(({ status }) => status)).toEqual(STATUSES.map(() => 'investigating'));
  const status = async (uuid: string) => (await service.get(`/issues/${uuid}`)).body;
  for (const { uuid } of issues) {
    await expect.poll(() => status(uuid)).toMatchObject({ status: 'ready_to_fix' });
  }
  const set = STATUSES.filter((name) => name !== 'investigating');
  for (const [index, name] of set.entries()) {
    await service.patch(`/issues/${issues[index]?.uuid}`, { status: name });
  }
  await service.restart();
  for (const [index, name] of set.entries()) {
    expect(await status(issues[index]?.uuid ?? '')).toMatchObject({ status: name });
  }
});
