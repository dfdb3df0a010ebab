import type { Feature } from '../../listening/feature.ts';
import { homeIssue } from './change-issue-action.ts';
import { appHomeOpened } from './open-home-event.ts';
import { homeNewIssue } from './open-new-issue-action.ts';
import { homePause, homeResume } from './pause-filing-action.ts';
import { homeNext, homePrevious } from './turn-page-action.ts';

/** The app's Home tab. */
export const home: Feature = {
  actions: { homeIssue, homeNewIssue, homeNext, homePause, homePrevious, homeResume },
  events: { app_home_opened: appHomeOpened },
};
