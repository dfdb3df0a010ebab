import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createMetrics } from '../../src/bot/shared/metrics.ts';
import { createServiceMetrics } from '../../src/service/metrics.ts';
import { projectFile } from '../support/files.ts';

const Panel = z.looseObject({
  id: z.number(),
  type: z.string(),
  title: z.string(),
  description: z.string().optional(),
  gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
  fieldConfig: z.object({ defaults: z.looseObject({ unit: z.string() }) }).optional(),
  targets: z.array(z.looseObject({ expr: z.string(), datasource: z.object({ uid: z.string() }) })).optional(),
});
const Dashboard = z.looseObject({ uid: z.string(), panels: z.array(Panel) });
const { panels } = Dashboard.parse(JSON.parse(projectFile('deploy/grafana/gumshoe.json')));
const shown = panels.filter(({ type }) => type !== 'row');
const targets = shown.flatMap((panel) => panel.targets ?? []);

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

describe('the dashboard', () => {
  it('asks for metrics that the programs have', async () => {
    const text = `${await createMetrics().text()}\n${await createServiceMetrics().text()}`;
    const known = new Set([...text.matchAll(/^# TYPE (\S+)/gmu)].map(([, name]) => name));
    const asked = targets.flatMap(({ expr }) => expr.match(/\b(?:gumshoe|process)_\w+/gu) ?? []);
    expect(asked.map((name) => name.replace(/_bucket$/u, '')).filter((name) => !known.has(name))).toEqual([]);
  });

  it.skipIf(!hasPromtool)('has queries that Prometheus can parse', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gumshoe-dashboard-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const rules = targets.map(({ expr }, n) => ({
      record: `panel_${n}`,
      expr: expr.replaceAll('$__rate_interval', '1m'),
    }));
    // JSON is YAML.
    writeFileSync(join(folder, 'rules.yaml'), JSON.stringify({ groups: [{ name: 'panels', rules }] }));
    const { stdout } = await promisify(execFile)('promtool', ['check', 'rules', join(folder, 'rules.yaml')]);
    expect(stdout).toContain(`SUCCESS: ${rules.length} rules found`);
  });

  it('says of each panel what it shows and in which unit, from the source that is chosen', () => {
    const wrong = shown.filter(({ description, fieldConfig }) => !description || !fieldConfig?.defaults.unit);
    expect(wrong.map(({ title }) => title)).toEqual([]);
    expect(targets.filter(({ datasource }) => !/^\$\{datasource\}$/u.test(datasource.uid))).toEqual([]);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  });

  it('has no panel over another one, and none beyond its width', () => {
    const overlaps = panels.flatMap(({ title, gridPos: a }, n) =>
      panels
        .slice(n + 1)
        .filter(({ gridPos: b }) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h)
        .map((other) => `${title} and ${other.title}`),
    );
    expect(overlaps).toEqual([]);
    expect(panels.filter(({ gridPos }) => gridPos.x + gridPos.w > 24)).toEqual([]);
  });
});
