import type { KnownBlock } from '@slack/types';
import { inSections } from '../in-sections.ts';
import { factLines } from './facts.ts';

const LEAD = ['kind', 'namespace', 'name', 'metadata', 'status', 'phase', 'reason', 'message', 'restarts'];

/** Something in a cluster: what and where it is, how it is, then all else. */
export function clusterBlocks(data: Record<string, unknown>): KnownBlock[] {
  return inSections(factLines(data, [...LEAD, 'restartcount', 'node', 'events']));
}
