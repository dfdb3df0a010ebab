import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv } from 'ajv';
import { startWorkspace } from 'local-slack';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { botVariables } from '../../src/bot/variables.ts';
import { isSecret, type Variable, variablesOf } from '../../src/lib/environment.ts';
import { ownVariables } from '../../src/service/settings.ts';
import { telemetryVariables } from '../../src/service/telemetry/settings.ts';
import { readDockerfile } from '../support/dockerfile.ts';
import { projectFile, projectRoot } from '../support/files.ts';
import { createDatabase } from '../support/postgres/databases.ts';
import { MANIFEST } from '../support/program.ts';
import { unusedPort } from '../support/scripted-service.ts';
import { until } from '../support/until.ts';

const text = projectFile('deploy/compose.yaml');
const document: unknown = parse(text, { merge: true });

const Own = z.looseObject({
  image: z.string(),
  command: z.array(z.string()).optional(),
  /** `null` takes it from the shell or `.env`, where it is there. */
  environment: z.record(z.string(), z.string().nullable()),
  env_file: z.unknown(),
  secrets: z.array(z.string()),
});
const Compose = z.looseObject({
  services: z.looseObject({ bot: Own, service: Own }),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
});
const compose = Compose.parse(document);
const { bot, service } = compose.services;

const words = z.array(z.string());
const image = readDockerfile(projectFile('Dockerfile')).at(-1)?.instructions ?? [];
const restOf = (name: string) => image.find((one) => one.name === name)?.rest ?? '';

describe('deploy/compose.yaml', () => {
  it('is valid by the schema of Compose', () => {
    const ajv = new Ajv({ strict: false, validateSchema: false, validateFormats: false, allErrors: true });
    const validate = ajv.compile(JSON.parse(projectFile('test/fixtures/deploy/compose-spec.json')));
    validate(document);
    expect(validate.errors).toBe(null);
  });

  it('runs both programs without rights, on a read-only root', () => {
    for (const one of [bot, service]) {
      expect(one).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    }
  });

  it('names by digest what it does not build, and limits the memory of each, as the Kubernetes manifests do', () => {
    const services = z
      .record(
        z.string(),
        z.object({ image: z.string(), build: z.string().optional(), mem_limit: z.string() }),
      )
      .parse(compose.services);
    const tagged = Object.values(services).filter(
      (one) => one.build === undefined && !/@sha256:[0-9a-f]{64}$/u.test(one.image),
    );
    expect(tagged).toEqual([]);
    const limitOf = (name: string) =>
      /limits: \{ memory: (\d+\w)i \}/u.exec(projectFile(`deploy/kubernetes/${name}.yaml`))?.[1];
    for (const name of ['bot', 'service']) {
      expect(services[name]?.mem_limit.toUpperCase()).toBe(limitOf(name));
    }
  });

  it('sets variables that the programs know, and secrets from files alone', () => {
    const wrong = (one: typeof bot, variables: readonly Variable[]) =>
      Object.entries(one.environment).filter(([name, value]) => {
        const secret = name.replace(/_FILE$/u, '');
        const isOfSecret = (named: string) => isSecret(named, variables);
        if (secret === name) return isOfSecret(name) || !variables.some((known) => known.name === name);
        const mounted = value?.replace('/run/secrets/', '') ?? '';
        return (
          !isOfSecret(secret) || !one.secrets.includes(mounted) || compose.secrets[mounted] === undefined
        );
      });
    expect(wrong(bot, variablesOf(botVariables))).toEqual([]);
    expect(wrong(service, [...variablesOf(ownVariables), ...variablesOf(telemetryVariables)])).toEqual([]);
  });

  it('takes any other variable from .env: none is set to nothing beside it', () => {
    for (const one of [bot, service]) {
      expect(one.env_file).toEqual([{ path: '.env', required: false }]);
      expect(
        Object.values(one.environment).filter((value) => value === '' || value?.endsWith(':-}')),
      ).toEqual([]);
    }
  });

  it.skipIf(spawnSync('amtool', ['--version']).status !== 0)(
    'gives the Alertmanager a valid configuration, which sends to the bot’s own address',
    async () => {
      const file = `${projectRoot}deploy/alertmanager/alertmanager.yaml`;
      expect((await promisify(execFile)('amtool', ['check-config', file])).stdout).toContain('SUCCESS');
      expect(projectFile('deploy/alertmanager/alertmanager.yaml')).toContain(
        `url: http://bot:${bot.environment.PORT}/alerts/alertmanager`,
      );
    },
  );

  it.skipIf(spawnSync('docker', ['compose', 'version']).status !== 0)(
    'is understood by Docker Compose itself, with each profile, and takes the image of a release',
    async () => {
      const file = `${projectRoot}deploy/compose.yaml`;
      const words = ['compose', '--file', file, '--profile', 'proxy', '--profile', 'monitoring', 'config'];
      const env = { ...process.env, GUMSHOE_IMAGE: 'ghcr.io/somebody/gumshoe:1.0.0' };
      const { stdout } = await promisify(execFile)('docker', words, { env });
      expect(Compose.parse(parse(stdout)).services.bot.image).toBe(env.GUMSHOE_IMAGE);
    },
  );

  it('starts, and is healthy by its own checks: an alert of the Alertmanager is taken', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gumshoe-compose-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const workspace = await startWorkspace({
      file: join(folder, 'workspace.db'),
      manifest: MANIFEST,
      port: await unusedPort(),
      deliver: { mode: 'socket' },
    });
    onTestFinished(() => workspace.close());
    const key = randomBytes(8).toString('hex');
    const secrets: Record<string, string> = {
      'slack-bot-token': workspace.botToken,
      'slack-app-token': workspace.appToken,
      'service-api-key': key,
      'service-api-keys': `${key}:company`,
      'alert-webhook-token': 'token-of-the-tests',
      'bot-database-url': (await createDatabase()).url,
      'service-database-url': (await createDatabase()).url,
    };
    for (const [name, value] of Object.entries(secrets)) writeFileSync(join(folder, name), `${value}\n`);
    const ports = { bot: await unusedPort(), service: await unusedPort() };

    const start = async (one: typeof bot, more: Record<string, string>): Promise<ChildProcess> => {
      const [, ...command] = one.command ?? words.parse(JSON.parse(restOf('CMD')));
      const given = Object.entries(one.environment).flatMap(([name, value]) =>
        value === null
          ? []
          : [[name, value.replace('/run/secrets', folder).replace(/^\$\{\w+:-(.*)\}$/u, '$1')]],
      );
      const env = {
        ...Object.fromEntries(given),
        NODE_ENV: 'production',
        TMPDIR: folder,
        HOST: '127.0.0.1',
        ...more,
      };
      const child = spawn(process.execPath, command, { cwd: projectRoot, env, stdio: 'ignore' });
      onTestFinished(async () => {
        child.kill('SIGKILL');
      });
      const [, ...check] = words.parse(JSON.parse(restOf('HEALTHCHECK').replace(/^.*?CMD /u, '')));
      await until('it is healthy by its own check', () => {
        if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
        return spawnSync(process.execPath, check, { env }).status === 0;
      });
      return child;
    };

    await start(service, { PORT: `${ports.service}`, METRICS_PORT: `${await unusedPort()}` });
    const address =
      bot.environment.ISSUE_SERVICE_URL?.replace('service:4010', `127.0.0.1:${ports.service}`) ?? '';
    const metricsPort = await unusedPort();
    const running = await start(bot, {
      PORT: `${ports.bot}`,
      METRICS_PORT: `${metricsPort}`,
      SLACK_API_URL: workspace.apiUrl,
      ISSUE_SERVICE_URL: address,
      ALERT_ROUTES: `*->${workspace.channels.alerts}`,
    });
    await until('it is ready', async () => (await fetch(`http://127.0.0.1:${metricsPort}/readyz`)).ok);
    const response = await fetch(`http://127.0.0.1:${ports.bot}/alerts/alertmanager`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer token-of-the-tests' },
      body: JSON.stringify({
        version: '4',
        status: 'firing',
        receiver: 'gumshoe',
        groupLabels: { alertname: 'GumshoeDown' },
        commonLabels: { alertname: 'GumshoeDown', severity: 'critical' },
        commonAnnotations: {},
        externalURL: 'http://alertmanager:9093',
        alerts: [
          {
            status: 'firing',
            labels: { alertname: 'GumshoeDown', severity: 'critical' },
            annotations: {},
            startsAt: new Date().toISOString(),
            fingerprint: 'f1',
          },
        ],
      }),
    });
    expect(response.status).toBe(202);
    await until('the alert is in Slack', () =>
      workspace.messages(workspace.channels.alerts).some(({ text: said }) => said.includes('GumshoeDown')),
    );
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill('SIGTERM');
    expect(await ended).toBe(0);
  });
});
