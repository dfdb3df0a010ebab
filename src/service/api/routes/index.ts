import type { Dependencies } from '../dependencies.ts';
import type { ServiceApp } from '../env.ts';
import { ask } from './ask.ts';
import { createIssue } from './create-issue.ts';
import { deleteIssue } from './delete-issue.ts';
import { fetchIssue } from './fetch-issue.ts';
import { fetchIssueByNumber } from './fetch-issue-by-number.ts';
import { fetchResults } from './fetch-results.ts';
import { listIssues } from './list-issues.ts';
import { retrieveArtifacts } from './retrieve-artifacts.ts';
import { updateIssue } from './update-issue.ts';

/** Every operation of the contract, in the order of its section 4. */
export const ROUTES: readonly ((app: ServiceApp, dependencies: Dependencies) => void)[] = [
  listIssues,
  createIssue,
  updateIssue,
  fetchIssue,
  fetchIssueByNumber,
  fetchResults,
  deleteIssue,
  retrieveArtifacts,
  ask,
];
