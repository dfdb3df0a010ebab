import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createImageRenderer } from '../../../src/bot/render/pictures/image-renderer.ts';
import { changesIn, type Picture } from '../../../src/bot/render/pictures/picture.ts';
import type { Artifact, InvestigationResults } from '../../../src/contract/answers.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { investigations } from '../../../src/tools/gallery/entries.ts';
import { HARD_CHARTS, HARD_GRAPHS, TRIGGERED_AT } from './hard-pictures.ts';

/** `node test/support/gallery/draw.ts FOLDER`: draws pictures of every kind into a folder, to be looked at. */
async function run(folder: string): Promise<void> {
  const imageRenderer = createImageRenderer({
    clock: systemClock,
    onProblem: (problem) => console.error(problem.message),
  });
  await mkdir(folder, { recursive: true });
  const show = async (name: string, picture: Picture | null) => {
    const png = picture && (await imageRenderer.toPng(picture));
    const size = picture ? `${picture.width} × ${picture.height}` : '';
    console.log(png ? `${name}: ${size}, ${Math.round(png.byteLength / 1000)} kB` : `${name}: no picture`);
    if (!picture || !png) return;
    await writeFile(join(folder, `${name}.svg`), picture.svg);
    await writeFile(join(folder, `${name}.png`), png);
    await writeFile(join(folder, `${name}.txt`), `${picture.alt}\n`);
  };
  const graph = (results: InvestigationResults) => imageRenderer.draw({ kind: 'graph', results });
  const chart = (artifact: Artifact, triggeredAt: number, results: InvestigationResults = {}) =>
    imageRenderer.draw({
      kind: 'chart',
      artifact: JSON.stringify(artifact),
      triggeredAt,
      changes: changesIn(results),
    });
  for (const { kind, results, artifacts, triggeredAt } of await investigations()) {
    await show(`graph of ${kind}`, await graph(results));
    const metrics = artifacts.filter(({ type }) => type === 'metric');
    for (const [index, artifact] of metrics.slice(0, 3).entries())
      await show(`chart ${index + 1} of ${kind}`, await chart(artifact, triggeredAt, results));
  }
  for (const [name, results] of Object.entries(HARD_GRAPHS))
    await show(`graph, ${name}`, await graph(results));
  for (const [name, artifact] of Object.entries(HARD_CHARTS))
    await show(`chart, ${name}`, await chart(artifact, TRIGGERED_AT));
  await imageRenderer.close();
}

const folder = process.argv[2];
if (folder === undefined) {
  console.error('Name a folder for the pictures: node test/support/gallery/draw.ts ./pictures');
  process.exitCode = 1;
} else await run(folder);
