import { z } from 'zod';

/** The parts that are read of the API server's answers. */
const Owners = z.array(
  z.looseObject({ kind: z.string(), name: z.string(), controller: z.boolean().optional() }),
);
const Texts = z.record(z.string(), z.string());

const Metadata = z.looseObject({
  name: z.string(),
  namespace: z.string().default('default'),
  creationTimestamp: z.string().nullish(),
  labels: Texts.nullish(),
  annotations: Texts.nullish(),
  ownerReferences: Owners.nullish(),
});
const Page = z.looseObject({ continue: z.string().nullish() });

const PodSpec = z.looseObject({
  containers: z.array(z.looseObject({ name: z.string(), image: z.string().optional() })),
});

export const ReplicaSet = z.looseObject({
  metadata: Metadata,
  spec: z.looseObject({ template: z.looseObject({ spec: PodSpec }) }),
});

export const Pod = z.looseObject({
  metadata: Metadata,
  status: z
    .looseObject({
      containerStatuses: z
        .array(
          z.looseObject({
            name: z.string(),
            restartCount: z.number().default(0),
            lastState: z
              .looseObject({
                terminated: z
                  .looseObject({
                    reason: z.string().nullish(),
                    exitCode: z.number().nullish(),
                    finishedAt: z.string().nullish(),
                  })
                  .nullish(),
              })
              .nullish(),
          }),
        )
        .nullish(),
    })
    .nullish(),
});

export const Event = z.looseObject({
  metadata: Metadata,
  involvedObject: z.looseObject({
    kind: z.string(),
    name: z.string(),
    namespace: z.string().default('default'),
  }),
  type: z.string().nullish(),
  reason: z.string().nullish(),
  message: z.string().nullish(),
  count: z.number().nullish(),
  lastTimestamp: z.string().nullish(),
  eventTime: z.string().nullish(),
});

export function listOf<T>(item: z.ZodType<T>) {
  return z.looseObject({ metadata: Page.nullish(), items: z.array(item) });
}

export type ReplicaSet = z.infer<typeof ReplicaSet>;
export type Pod = z.infer<typeof Pod>;
export type Event = z.infer<typeof Event>;
