import type { KnownBlock } from '@slack/types';
import { inSections } from '../in-sections.ts';
import { factLines } from './facts.ts';

const LEAD = ['title', 'name', 'summary', 'status', 'state', 'severity', 'priority', 'service', 'startedat'];

/** An alert or incident: its name and state first, then everything else. */
export function alertBlocks(data: Record<string, unknown>): KnownBlock[] {
  return inSections(
    factLines(data, [...LEAD, 'triggeredat', 'createdat', 'resolvedat', 'assignee', 'description']),
  );
}
