import { useEffect, useState } from 'react';
import type { PageGalleryEntry, PageState } from '../../src/page-api.ts';
import { read } from '../api.ts';
import { each } from './basics.tsx';
import { type Desk, DeskContext } from './desk.ts';
import { MessageBody } from './message-body.tsx';

async function load(): Promise<{ workspace: PageState; entries: PageGalleryEntry[] }> {
  const [workspace, gallery] = await Promise.all([read('state'), read('gallery')]);
  return { workspace, ...gallery };
}

/** What the app renders, drawn as in a channel, to be looked at: nothing here can be used. */
export function Gallery() {
  const [shown, setShown] = useState<Awaited<ReturnType<typeof load>> | null>(null);
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    load().then(setShown, () => setMissing(true));
  }, []);
  if (!shown)
    return <p className="starting">{isMissing ? 'The gallery is not responding.' : 'Rendering…'}</p>;
  return (
    <DeskContext value={inert(shown.workspace)}>
      <title>Gallery</title>
      <main className="gallery">
        <h1>Gallery</h1>
        {shown.entries.length === 0 && <p>This workspace was started without a gallery.</p>}
        {each(shown.entries, (entry) => (
          <Entry entry={entry} />
        ))}
      </main>
    </DeskContext>
  );
}

function Entry({ entry }: { entry: PageGalleryEntry }) {
  return (
    <section aria-label={entry.name}>
      <h2>{entry.name}</h2>
      {each(entry.messages, ({ text, blocks }) => (
        <article>
          <MessageBody
            message={{ type: 'message', channel: entry.name, ts: text, text, blocks: withIds(blocks) }}
          />
        </article>
      ))}
    </section>
  );
}

/** Slack names the blocks that it stores; these are stored nowhere. */
function withIds(blocks: readonly unknown[]): unknown[] {
  return blocks.map((block, index) =>
    typeof block === 'object' && block !== null ? { block_id: `b${index}`, ...block } : block,
  );
}

function inert(workspace: PageState): Desk {
  const nothing = async () => false;
  const nowhere = async () => ({ ok: true as const });
  return {
    workspace,
    as: '',
    click: nothing,
    submit: nothing,
    upload: nothing,
    stopStream: nothing,
    stopSession: nothing,
    renameSession: nothing,
    react: nothing,
    runShortcut: nothing,
    suggest: async () => ({ ok: false, error: 'The gallery is read-only.' }),
    openTab: () => {},
    held: new Map(),
    openThread: () => {},
    dismiss: () => {},
    views: { act: nowhere, submit: nowhere, close: () => {} },
  };
}
