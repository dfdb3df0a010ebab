import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { causalGraphSvg } from '../bot/render/pictures/causal-graph.ts';
import { chartSvg } from '../bot/render/pictures/chart.ts';
import type { Picture } from '../bot/render/pictures/picture.ts';
import { createStudio } from '../bot/render/pictures/studio.ts';
import { systemClock } from '../lib/clock.ts';
import { HARD_CHARTS, TRIGGERED_AT } from './gallery/hard-charts.ts';
import { HARD_GRAPHS } from './gallery/hard-graphs.ts';
import { investigations } from './gallery/investigations.ts';

/** `node src/tools/gallery.ts FOLDER`: draws pictures of every kind into a folder, to be looked at. */
async function run(folder: string): Promise<void> {
  const studio = createStudio({ clock: systemClock, onProblem: (problem) => console.error(problem.message) });
  await mkdir(folder, { recursive: true });
  const show = async (name: string, picture: Picture | null) => {
    const png = picture && (await studio.toPng(picture));
    const size = picture ? `${picture.width} × ${picture.height}` : '';
    console.log(png ? `${name}: ${size}, ${Math.round(png.byteLength / 1000)} kB` : `${name}: no picture`);
    if (!picture || !png) return;
    await writeFile(join(folder, `${name}.svg`), picture.svg);
    await writeFile(join(folder, `${name}.png`), png);
    await writeFile(join(folder, `${name}.txt`), `${picture.alt}\n`);
  };
  for (const { kind, results, artifacts, triggeredAt } of await investigations()) {
    await show(`graph of ${kind}`, await causalGraphSvg(results, studio.layout));
    const metrics = artifacts.filter(({ type }) => type === 'metric');
    for (const [index, artifact] of metrics.slice(0, 3).entries())
      await show(`chart ${index + 1} of ${kind}`, chartSvg(artifact, { triggeredAt }));
  }
  for (const [name, results] of Object.entries(HARD_GRAPHS))
    await show(`graph, ${name}`, await causalGraphSvg(results, studio.layout));
  for (const [name, artifact] of Object.entries(HARD_CHARTS))
    await show(`chart, ${name}`, chartSvg(artifact, { triggeredAt: TRIGGERED_AT }));
  await studio.close();
}

const folder = process.argv[2];
if (folder === undefined) {
  console.error('Name a folder for the pictures: node src/tools/gallery.ts ./pictures');
  process.exitCode = 1;
} else await run(folder);
