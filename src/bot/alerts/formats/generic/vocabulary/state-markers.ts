import { setOf } from './expression.ts';

/** Words that mean firing, alone between brackets or bars or before a colon. */
export const FIRING_MARKERS = setOf(
  'firing fired triggered re-triggered retriggered alerting alarming alarmed down outage failed failing failure fatal panic',
  'breach breached breaching degraded offline unhealthy unreachable unavailable no_data nodata activated raised detected fire burning',
  'red exception crashed crash missed late overdue expired anomaly violation violated timeout stalled abnormal disaster unstable problem_start started_problem',
  'ausgefallen ausfall fehler kritisch warnung panne critique échec indisponible erreur avertissement caída caído crítico crítica error',
  'fallo falha inativo queda guasto critico errore storing fout kritiek 障害 障害発生 異常 エラー 緊急 发生 故障 异常 경고 장애',
);
/** Words that announce an alert without its state. */
export const ANNOUNCEMENT_MARKERS = setOf(
  'alert alarm problem incident emergency event_alert alerte alerta allarme störung 警告 アラート 告警',
);
/** The same for words with other meanings as well. */
export const WEAK_FIRING_MARKERS = setOf(
  'open opened new active error urgent created started attention begin opening investigating ongoing bad err ko fail not_ok nok on set trouble issue',
);
/** Severities; they mean firing if nothing says otherwise. */
export const SEVERITY_MARKERS = setOf(
  'critical crit warning warn high severe major minor medium moderate p0 p1 p2 p3 p4 p5 sev0 sev1 sev2 sev3 sev4 sev5 s1 s2 s3 amber yellow orange elevated important serious emerg',
);
export const RESOLVED_MARKERS = setOf(
  'resolved recovered recovery recover cleared clear normal restored healthy ended all_clear solved inactive deactivated back_to_normal back_online back_up fixed reset_ok operational mitigated end_of_alert problem_end',
  'behoben gelöst entwarnung erholt wiederhergestellt normalisiert beendet résolu résolue rétabli rétablie terminé terminée resuelto resuelta recuperado recuperada solucionado restablecido resolvido resolvida normalizado risolto ripristinato opgelost hersteld 復旧 解消 回復 復旧しました 恢复 已恢复 解除 복구 해제',
);
export const WEAK_RESOLVED_MARKERS = setOf(
  'ok okay up closed good green online closing ended end passed pass cleared off back done reset',
);
/** Words that mark mere information. */
export const INFO_MARKERS = setOf(
  'info information informational notice fyi debug trace heads-up announcement news update note success succeeded successful reminder tip',
);
