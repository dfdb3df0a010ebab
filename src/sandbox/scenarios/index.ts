import { catalogueConfig } from './catalogue-config.ts';
import { paymentsDeploy } from './payments-deploy.ts';
import type { Scenario } from './scenario.ts';
import { slowOrdersDb } from './slow-orders-db.ts';

/** One line a scenario. Each start plays the next one, so that a restart does not only repeat an alert. */
export const scenarios: readonly [Scenario, ...Scenario[]] = [paymentsDeploy, slowOrdersDb, catalogueConfig];
