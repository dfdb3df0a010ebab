import { z } from 'zod';
import { InvestigationResults } from '../../../contract/answers.ts';
import { decodeStored } from '../../../lib/decode-stored.ts';
import type { ImageRenderer, PictureSource } from '../../render/pictures/image-renderer.ts';
import type { PictureContent } from '../../store/files.ts';
import type { Store } from '../../store/open.ts';

const Request = z.looseObject({ triggeredAt: z.string().optional() });

/** A picture as a PNG with its alt text; `null` if there is nothing to show, or it cannot be drawn. */
export async function draw(
  what: PictureContent,
  { store, imageRenderer }: { store: Store; imageRenderer: ImageRenderer },
): Promise<{ bytes: Uint8Array; alt: string } | null> {
  const source = await sourceOf(what, store);
  const picture = source && (await imageRenderer.draw(source));
  const bytes = picture && (await imageRenderer.toPng(picture));
  return picture && bytes ? { bytes, alt: picture.alt } : null;
}

async function sourceOf(what: PictureContent, store: Store): Promise<PictureSource | null> {
  switch (what.picture) {
    case 'graph': {
      const body = await store.results.get(what.issue, what.version);
      if (body === null) return null;
      return { kind: 'graph', results: InvestigationResults.parse(JSON.parse(body)) };
    }
    case 'chart': {
      const artifact = (await store.artifacts.get(what.owner, what.artifact))?.body;
      if (!artifact) return null;
      return { kind: 'chart', artifact, triggeredAt: await triggerOf(what.owner, store) };
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
