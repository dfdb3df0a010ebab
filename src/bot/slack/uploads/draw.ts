import { z } from 'zod';
import { Artifact, InvestigationResults } from '../../../contract/answers.ts';
import { decodeStored } from '../../../lib/decode-stored.ts';
import { causalGraphSvg } from '../../render/pictures/causal-graph.ts';
import { chartSvg } from '../../render/pictures/chart.ts';
import type { Picture } from '../../render/pictures/picture.ts';
import type { Studio } from '../../render/pictures/studio.ts';
import type { PictureContent } from '../../store/files.ts';
import type { Store } from '../../store/open.ts';

const Request = z.looseObject({ triggeredAt: z.string().optional() });

interface From {
  store: Store;
  studio: Studio;
}

/** A picture as a PNG with its alt text; `null` if there is nothing to show, or it cannot be drawn. */
export async function draw(
  what: PictureContent,
  from: From,
): Promise<{ bytes: Uint8Array; alt: string } | null> {
  const picture = await pictureOf(what, from);
  const bytes = picture && (await from.studio.toPng(picture));
  return picture && bytes ? { bytes, alt: picture.alt } : null;
}

async function pictureOf(what: PictureContent, { store, studio }: From): Promise<Picture | null> {
  switch (what.picture) {
    case 'graph': {
      const body = await store.results.get(what.issue, what.version);
      if (body === null) return null;
      return causalGraphSvg(InvestigationResults.parse(JSON.parse(body)), studio.layout);
    }
    case 'chart': {
      const row = await store.artifacts.get(what.owner, what.artifact);
      if (!row?.body) return null;
      const triggeredAt = await triggerOf(what.owner, store);
      return chartSvg(Artifact.parse(JSON.parse(row.body)), { triggeredAt });
    }
  }
}

/** When the issue's alert fired, in milliseconds. */
async function triggerOf(issueId: string, { issues }: Store): Promise<number | undefined> {
  const issue = await issues.get(issueId);
  const stated = issue === null ? undefined : decodeStored(Request, issue.request)?.triggeredAt;
  const at = Date.parse(stated ?? '');
  return Number.isNaN(at) ? undefined : at;
}
