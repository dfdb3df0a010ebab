import type { HomeView, KnownBlock } from '@slack/types';
import { fitBlock } from '../fit.ts';
import { limits } from '../limits.ts';
import { context } from '../rendered.ts';

/** Brings a Home within Slack's limits, as `fitMessage` does a message; blocks too many are left off at the end. */
export function fitHome(blocks: readonly KnownBlock[]): HomeView {
  const fitted = blocks.flatMap(fitBlock);
  const kept = [...fitted];
  const note = () => context(`… shortened: ${fitted.length - kept.length} more parts`);
  if (fits(kept)) return { type: 'home', blocks: kept };
  while (kept.length > 0 && !fits([...kept, note()])) kept.pop();
  return { type: 'home', blocks: [...kept, note()] };
}

function fits(blocks: readonly KnownBlock[]): boolean {
  return (
    blocks.length <= limits.blocksPerView && Buffer.byteLength(JSON.stringify(blocks)) <= limits.viewBytes
  );
}
