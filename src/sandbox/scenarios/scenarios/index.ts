import type { Scenario } from '../scenario.ts';
import { botKilled } from './bot-killed.ts';
import { catalogueConfig } from './catalogue-config.ts';
import { flapping } from './flapping.ts';
import { manyTools } from './many-tools.ts';
import { nothingFound } from './nothing-found.ts';
import { paymentsDeploy } from './payments-deploy.ts';
import { quiet } from './quiet.ts';
import { recovery } from './recovery.ts';
import { serviceDown } from './service-down.ts';
import { slowOrdersDb } from './slow-orders-db.ts';
import { storm } from './storm.ts';

/** What `npm start` begins with where nobody chooses: each start plays the next one, so that it does not only repeat an alert. */
export const beginnings: readonly [Scenario, ...Scenario[]] = [paymentsDeploy, slowOrdersDb, catalogueConfig];

/** One line a scenario. */
export const scenarios: readonly Scenario[] = [
  ...beginnings,
  recovery,
  flapping,
  storm,
  manyTools,
  nothingFound,
  serviceDown,
  botKilled,
  quiet,
];
