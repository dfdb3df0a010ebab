import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { IssueDetail } from '../../../src/contract/answers.ts';
import { Findings } from '../../../src/contract/schema.ts';
import { nothingYet } from '../../../src/service/investigation/types.ts';
import { ask } from './forward.ts';
import { type Exchange, startProxy } from './proxy.ts';

/** How far every investigation is: nothing yet, what happened, the evidence too, all of it. */
export type Stage = 'nothing' | 'overview' | 'evidence' | 'done';

/** In front of a service whose investigations end soon: for the bot they are as far as a test says. */
export interface StagedService {
  /** The base address, with `/api/v2`. */
  url: string;
  stage: Stage;
  close(): Promise<void>;
}

const READ = /^\/api\/v2\/issues\/[^/?]+(\/results)?(?:\?.*)?$/u;

export async function startStagedService(behind: string): Promise<StagedService> {
  const target = new URL(behind);
  async function handle({ request, response, pass }: Exchange): Promise<void> {
    const { stage } = self;
    const [matches, results] = READ.exec(request.path) ?? [];
    if (stage === 'done' || request.method !== 'GET' || matches === undefined) return pass();
    const answer = await ask(request, target);
    const body: unknown = JSON.parse(await text(answer));
    const shown = answer.statusCode !== 200 ? body : results ? resultsAt(body, stage) : runningStill(body);
    response.writeHead(answer.statusCode ?? 502, { 'content-type': 'application/json' });
    response.end(JSON.stringify(shown));
  }
  const proxy = await startProxy({ target, handle });
  const self: StagedService = { url: `${proxy.origin}/api/v2`, stage: 'nothing', close: proxy.close };
  return self;
}

function runningStill(body: unknown): object {
  const detail = IssueDetail.parse(body);
  const versions = detail.versions?.map((version) => ({ ...version, status: 'RUNNING' }));
  return { ...detail, status: 'investigating', ...(versions ? { versions } : {}) };
}

function resultsAt(body: unknown, stage: Exclude<Stage, 'done'>): object {
  const findings = Findings.parse(body);
  const { sessionUuid } = z.looseObject({ sessionUuid: z.string() }).parse(body);
  const { rootCause, timeline, causalTreeV2, causalTree } = findings;
  const { rootCauseSummary: _, ...withoutVerdict } = rootCause;
  const nothing = nothingYet(rootCause.id);
  const { incidentOverview } = rootCause;
  const shown = {
    nothing,
    overview: { ...nothing, rootCause: { ...nothing.rootCause, incidentOverview }, timeline },
    evidence: { ...nothing, rootCause: withoutVerdict, causalTree, causalTreeV2, timeline },
  };
  return { sessionUuid, ...shown[stage] };
}
