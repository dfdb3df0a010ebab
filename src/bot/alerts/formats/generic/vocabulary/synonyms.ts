/** Other label names for an alert's fields, as `normalizedName` writes them. */
export const SYNONYMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    environment:
      'stage|environ|cluster env|deploy env|deployment env|env name|tier|landscape|umgebung|environnement|entorno|ambiente|omgeving|環境|环境',
    service:
      'component|svc|microservice|app name|application name|affected application|affected component|impacted service|impacted component|service affected|services|system|affected system|affected services|product|service/component|dienst|anwendung|application concernée|servicio|aplicación|serviço|servizio|サービス|服务|workload',
    host: 'machine|machine name|node name|vm|vm name|target host|affected host|source host|computer|fqdn|affected node|host/ip|device name|rechner|serveur|hôte|machine hôte|servidor|equipo|anfitrión|ホスト|ホスト名|サーバー|サーバ|主机',
    region:
      'zone|location|datacenter|data center|datacentre|data centre|dc|availability zone|az|site|region/zone|geo|standort|région|región|região|localisation|ubicación|リージョン|地域',
    version:
      'build|tag|image tag|release version|deployed version|running version|app version|firmware|software version|バージョン',
    severity:
      'prio|sev|impact|importance|criticality|risk|risk level|alert level|urgency level|severity level|alert priority|priority level|grade|schweregrad|schwere|dringlichkeit|priorität|priorité|gravité|sévérité|niveau|criticité|prioridad|severidad|gravedad|nivel|prioridade|severidade|gravità|重要度|深刻度|優先度',
    'trace id': 'trace|traceid|correlation id',
    time: 'occurred at|detected at|fired at|first seen|opened at|created at|event timestamp|happened at|began|began at|onset|zeit|zeitpunkt|uhrzeit|heure|depuis|début|hora|fecha|desde|inicio|発生時刻|発生日時|日時|时间|when|started on|start|datum|problem started|failing since|down since|alert time|trigger time|time of event|opened|detected',
    'error message':
      'failure reason|failure|cause|error text|last error|exception message|fehler|fehlermeldung|erreur|motivo|mensaje|detail|details|output|stderr|エラー',
    'error type': 'error code|exception class|exception name|error name|fault|error kind|failure type',
  }).flatMap(([name, others]) => others.split('|').map((other): [string, string] => [other, name])),
);
