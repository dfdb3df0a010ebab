import { readdirSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { botVariables } from '../../src/bot/variables.ts';
import { isSecret, variablesOf } from '../../src/lib/environment.ts';
import { ownVariables } from '../../src/service/settings.ts';
import { telemetryVariables } from '../../src/service/telemetry/settings.ts';
import { projectFile, projectRoot } from '../support/files.ts';

const FOLDER = 'deploy/kubernetes';
const files = readdirSync(`${projectRoot}${FOLDER}`).filter(
  (name) => name.endsWith('.yaml') && name !== 'kustomization.yaml',
);

const Labels = z.record(z.string(), z.string());
const Port = z.object({ name: z.string(), containerPort: z.number() });
const Container = z.looseObject({
  command: z.array(z.string()).optional(),
  env: z.array(z.object({ name: z.string(), value: z.string() })),
  envFrom: z.unknown(),
  ports: z.array(Port),
  volumeMounts: z.array(z.looseObject({ name: z.string(), mountPath: z.string() })),
  livenessProbe: z.looseObject({ httpGet: z.object({ path: z.string(), port: z.string() }) }),
  readinessProbe: z.looseObject({ httpGet: z.object({ path: z.string(), port: z.string() }) }),
  securityContext: z.unknown(),
});
const Deployment = z.looseObject({
  metadata: z.looseObject({ name: z.string() }),
  spec: z.looseObject({
    replicas: z.number(),
    selector: z.object({ matchLabels: Labels }),
    template: z.looseObject({
      metadata: z.object({ labels: Labels }),
      spec: z.looseObject({ securityContext: z.unknown(), containers: z.array(Container).length(1) }),
    }),
  }),
});
const Resource = z.looseObject({
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
  spec: z.unknown().optional(),
});

const resources = files.flatMap((name) =>
  parseAllDocuments(projectFile(`${FOLDER}/${name}`)).map((document) => Resource.parse(document.toJS())),
);
const ofKind = (kind: string) => resources.filter((resource) => resource.kind === kind);
const deployments = ofKind('Deployment').map((resource) => Deployment.parse(resource));

const Schemas = z.object({
  kinds: z.record(z.string(), z.string()),
  definitions: z.record(z.string(), z.unknown()),
});
const kubernetes = Schemas.parse(JSON.parse(projectFile('test/fixtures/deploy/kubernetes.json')));
const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema({ $id: 'kubernetes', definitions: kubernetes.definitions });
ajv.addSchema(JSON.parse(projectFile('test/fixtures/deploy/service-monitor.json')), 'ServiceMonitor');

function problemsOf({ kind, ...rest }: z.infer<typeof Resource>): string[] {
  const definition = kubernetes.kinds[kind];
  const validate =
    definition === undefined
      ? ajv.getSchema(kind)
      : ajv.compile({ $ref: `kubernetes#/definitions/${definition}` });
  if (!validate) return [`${kind} is a kind without a schema`];
  validate({ kind, ...rest });
  return (validate.errors ?? []).map(({ instancePath, message }) => `${kind} ${instancePath} ${message}`);
}

describe('deploy/kubernetes', () => {
  it('is valid by the schemas of Kubernetes and of the Prometheus Operator, without unknown properties', () => {
    expect(resources.flatMap(problemsOf)).toEqual([]);
    const [first] = deployments;
    const misspelt = { ...first, kind: 'Deployment', spec: { ...first?.spec, replica: 3 } };
    expect(problemsOf(Resource.parse(misspelt))).toEqual([
      'Deployment /spec must NOT have additional properties',
    ]);
  });

  it('lists each of its files for kustomize, and nothing else', () => {
    const { resources: listed } = parse(projectFile(`${FOLDER}/kustomization.yaml`));
    expect([...listed].sort()).toEqual(files.sort());
  });

  it('runs two replicas of each program, without rights, on a read-only root', () => {
    expect(deployments.map(({ metadata, spec }) => [metadata.name, spec.replicas])).toEqual([
      ['gumshoe-bot', 2],
      ['gumshoe-service', 2],
    ]);
    for (const { spec } of deployments) {
      const { securityContext, containers } = spec.template.spec;
      expect(securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 65532,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(containers[0]?.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(containers[0]?.volumeMounts.map(({ mountPath }) => mountPath)).toEqual([
        '/data',
        '/run/secrets/gumshoe',
        '/config',
      ]);
    }
  });

  it('sets variables that the programs know, and secrets from files alone', () => {
    const wrong = deployments.flatMap(({ metadata, spec }) => {
      const isBots = metadata.name === 'gumshoe-bot';
      const ofService = [...variablesOf(ownVariables), ...variablesOf(telemetryVariables)];
      const variables = isBots ? variablesOf(botVariables) : ofService;
      const secret = (name: string) => isSecret(name, variables);
      return (spec.template.spec.containers[0]?.env ?? []).filter(({ name, value }) =>
        name.endsWith('_FILE')
          ? !secret(name.slice(0, -'_FILE'.length)) || !value.startsWith('/run/secrets/gumshoe/')
          : secret(name) || !variables.some((one) => one.name === name),
      );
    });
    expect(wrong).toEqual([]);
  });

  it('takes any other variable from settings.env, which holds none that is secret or unknown, or from a secret', () => {
    for (const { spec } of deployments) {
      expect(spec.template.spec.containers[0]?.envFrom).toEqual([
        { configMapRef: { name: 'gumshoe-settings' } },
        { secretRef: { name: 'gumshoe-settings', optional: true } },
      ]);
    }
    const { configMapGenerator } = parse(projectFile(`${FOLDER}/kustomization.yaml`));
    expect(configMapGenerator).toEqual([{ name: 'gumshoe-settings', envs: ['settings.env'] }]);
    const known = [botVariables, ownVariables, telemetryVariables].flatMap(variablesOf);
    const named = [...projectFile(`${FOLDER}/settings.env`).matchAll(/^#?(\w+)=/gmu)].map(([, name]) => name);
    expect(named).not.toEqual([]);
    expect(
      named.filter((name = '') => isSecret(name, known) || known.every((one) => one.name !== name)),
    ).toEqual([]);
  });

  it('asks for probes on the port that answers them, and selects the pods it means', () => {
    for (const { metadata, spec } of deployments) {
      const { labels } = spec.template.metadata;
      const container = spec.template.spec.containers[0];
      const env = new Map(container?.env.map(({ name, value }) => [name, value]));
      const ports = new Map(container?.ports.map(({ name, containerPort }) => [name, `${containerPort}`]));
      expect([...ports]).toEqual([
        ['http', env.get('PORT')],
        ['metrics', env.get('METRICS_PORT')],
      ]);
      expect([container?.livenessProbe.httpGet, container?.readinessProbe.httpGet]).toEqual([
        { path: '/healthz', port: 'metrics' },
        { path: '/readyz', port: 'metrics' },
      ]);
      expect(spec.selector.matchLabels).toEqual(labels);
      const named = resources.filter((one) => one.metadata.name === metadata.name);
      expect(named.find(({ kind }) => kind === 'Service')?.spec).toMatchObject({ selector: labels });
      expect(named.find(({ kind }) => kind === 'PodDisruptionBudget')?.spec).toEqual({
        minAvailable: 1,
        selector: { matchLabels: labels },
      });
      expect(named.find(({ kind }) => kind === 'NetworkPolicy')?.spec).toMatchObject({
        podSelector: { matchLabels: labels },
        policyTypes: ['Ingress', 'Egress'],
      });
    }
    const [monitor] = ofKind('ServiceMonitor');
    expect(monitor?.spec).toMatchObject({ endpoints: [{ port: 'metrics' }] });
  });

  it('lets the service list what it reads, and nothing else', () => {
    const [role] = ofKind('ClusterRole');
    const Rules = z.array(
      z.object({
        apiGroups: z.array(z.string()),
        resources: z.array(z.string()),
        verbs: z.array(z.string()),
      }),
    );
    const { rules } = z.looseObject({ rules: Rules }).parse(role);
    const granted = rules.flatMap(({ apiGroups, resources, verbs }) =>
      resources.map((resource) => `${verbs} ${apiGroups}/${resource}`),
    );
    const read = projectFile('src/service/kubernetes/client.ts').matchAll(
      /: '\/apis?\/(?:(?<group>[\w.]+)\/)?v\d\/(?<resource>\w+)'/gu,
    );
    const listed = [...read].map(({ groups }) => `list ${groups?.group ?? ''}/${groups?.resource}`);
    // Secrets are an option that is off, and Endpoints are read as EndpointSlices.
    const optional = ['list /secrets', 'list /endpoints'];
    expect(granted.toSorted()).toEqual(listed.filter((one) => !optional.includes(one)).toSorted());
  });
});
