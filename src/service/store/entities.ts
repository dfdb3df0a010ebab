import type { Severity, Status } from '../schema/issue.ts';

/** How an investigation of one version stands. */
export type VersionStatus = 'RUNNING' | 'SUCCESS' | 'FAILED';

/** Rows as SQLite holds them: times in milliseconds since the epoch, objects as JSON text. */
export interface IssueRow {
  /** Grows with every issue of any organisation; never shown. */
  id: number;
  uuid: string;
  organisation: string;
  number: number;
  title: string;
  description: string;
  severity: Severity;
  status: Status;
  environment: string;
  triggeredAt: number;
  createdAt: number;
  updatedAt: number;
  context: string;
}

export interface SeedRow {
  publicUuid: string;
  issue: string;
  seedType: string;
  provider: string;
  providerReferenceId: string;
  title: string;
  description: string;
  tags: string;
  triggeredAt: number;
  link: string;
  query: string;
  rawPayload: string;
}

export interface VersionRow {
  uuid: string;
  issue: string;
  version: number;
  status: VersionStatus;
  description: string;
  sessionUuid: string;
  startedAt: number;
  /** Findings so far; null before the first stage. */
  findings: string | null;
}

export interface TurnRow {
  question: string;
  answer: string;
}
