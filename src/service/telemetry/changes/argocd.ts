import { z } from 'zod';
import { askJson } from '../ask-json.ts';
import type { Budget } from '../budget.ts';
import { createSourceClient, type SourceAddress } from '../http.ts';
import { type Answer, type Change, known, type Window } from '../model.ts';
import { partialSource } from '../partial-source.ts';
import type { TelemetrySource } from '../source.ts';

const NAME = 'argocd';

const Origin = z.looseObject({ targetRevision: z.string().nullish(), repoURL: z.string().nullish() });
const Applications = z.looseObject({
  items: z
    .array(
      z.looseObject({
        metadata: z.looseObject({ name: z.string(), namespace: z.string().nullish() }),
        status: z
          .looseObject({
            history: z
              .array(
                z.looseObject({
                  revision: z.string().nullish(),
                  deployedAt: z.string(),
                  source: Origin.nullish(),
                }),
              )
              .nullish(),
          })
          .nullish(),
      }),
    )
    .nullish(),
});

/** Deploys, from the history of every application in Argo CD. */
export function createArgoCdSource(
  settings: Omit<SourceAddress, 'title' | 'variable'>,
): TelemetrySource & { close(): Promise<void> } {
  const address = { ...settings, title: 'Argo CD', variable: 'ARGOCD' };
  const http = createSourceClient(address);
  const read = (budget: Budget) =>
    askJson({ http, address }, { path: '/api/v1/applications' }, Applications, budget);

  return {
    ...partialSource({
      name: NAME,
      changes: async (window, budget) => {
        const answer = await read(budget);
        return answer.known ? known(changesIn(answer.value, window, http.base)) : answer;
      },
      check: async (budget) => {
        const answer: Answer<z.infer<typeof Applications>> = await read(budget);
        return answer.known
          ? {
              name: NAME,
              ok: true,
              summary: `Argo CD at ${http.base} answers: ${answer.value.items?.length ?? 0} applications.`,
              details: [],
            }
          : { name: NAME, ok: false, summary: answer.reason, details: [] };
      },
    }),
    close: http.close,
  };
}

function changesIn({ items }: z.infer<typeof Applications>, window: Window, base: string): Change[] {
  return (items ?? [])
    .flatMap(({ metadata, status }) =>
      (status?.history ?? []).map(({ revision, deployedAt, source }): Change => {
        const target = source?.targetRevision ?? null;
        const isVersion = target !== null && /\d/u.test(target);
        return {
          at: Date.parse(deployedAt),
          service: metadata.name,
          kind: 'deploy',
          title: `Argo CD synced ${metadata.name} to ${revision?.slice(0, 10) ?? target ?? 'a new revision'}`,
          version: isVersion ? target : null,
          ref: revision ?? null,
          url: `${base}/applications/${metadata.namespace ? `${metadata.namespace}/` : ''}${metadata.name}`,
          details: source?.repoURL ?? null,
        };
      }),
    )
    .filter(({ at }) => at >= window.from && at < window.to)
    .sort((a, b) => a.at - b.at);
}
