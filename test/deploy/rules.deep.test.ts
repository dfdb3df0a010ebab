import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { createMetrics } from '../../src/bot/shared/metrics.ts';
import { createServiceMetrics } from '../../src/service/metrics.ts';
import { projectFile, projectRoot } from '../support/files.ts';

const FOLDER = `${projectRoot}deploy/prometheus`;
const Rule = z.looseObject({
  alert: z.string(),
  expr: z.string(),
  annotations: z.object({ summary: z.string(), description: z.string(), runbook_url: z.string() }),
});
const Rules = z.object({ groups: z.array(z.object({ name: z.string(), rules: z.array(Rule) })) });
const Tests = z.looseObject({ tests: z.array(z.looseObject({ name: z.string() })) });

const rules = Rules.parse(parse(projectFile('deploy/prometheus/rules.yaml'))).groups.flatMap(
  (group) => group.rules,
);

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
if (!hasPromtool) console.info('Skipped: no `promtool` here (apt-get install prometheus).');
const promtool = async (...words: string[]) =>
  (await promisify(execFile)('promtool', words, { cwd: FOLDER })).stdout;

describe('the alerts about Gumshoe', () => {
  it.skipIf(!hasPromtool)(
    'fire where they should and stay quiet where they should, by a real Prometheus',
    async () => {
      expect(await promtool('test', 'rules', 'rules.test.yaml')).toContain('SUCCESS');
    },
  );

  it.skipIf(!hasPromtool)('are part of a valid configuration of Prometheus', async () => {
    expect(await promtool('check', 'config', 'prometheus.yaml')).toContain(
      `SUCCESS: ${rules.length} rules found`,
    );
  });

  it('are each played twice', () => {
    const { tests } = Tests.parse(parse(projectFile('deploy/prometheus/rules.test.yaml')));
    expect(tests.map(({ name }) => name)).toEqual(
      rules.flatMap(({ alert }) => [`${alert} fires`, `${alert} stays quiet`]),
    );
  });

  it('ask for metrics that the programs have', async () => {
    const text = `${await createMetrics().text()}\n${await createServiceMetrics().text()}`;
    const known = new Set([...text.matchAll(/^# TYPE (\S+)/gmu)].map(([, name]) => name));
    const asked = rules.flatMap(({ expr }) => expr.match(/gumshoe_\w+/gu) ?? []);
    expect(asked.map((name) => name.replace(/_bucket$/u, '')).filter((name) => !known.has(name))).toEqual([]);
  });

  it('each have a runbook, and each runbook has its alert', () => {
    const [, section = ''] = projectFile('docs/operations.md').split('## Watching Gumshoe\n');
    const [runbooks = ''] = section.split('\n## ');
    const headings = [...runbooks.matchAll(/^### (?<name>\w+)$/gmu)].map(({ groups }) => groups?.name);
    expect(headings).toEqual(rules.map(({ alert }) => alert));
    expect(rules.map(({ annotations }) => annotations.runbook_url)).toEqual(
      rules.map(({ alert }) => `docs/operations.md#${alert.toLowerCase()}`),
    );
  });
});
