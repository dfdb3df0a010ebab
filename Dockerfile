# syntax=docker/dockerfile:1

# The packages of production alone; better-sqlite3 brings its binaries with it, so nothing is compiled.
FROM node:26-slim@sha256:c0753125a3789977aefe869cbebccf70e3cfd7ea84ca48547458f02e4f1d7146 AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund
# The code of both programs as V8 compiles it, for the same flags: a start takes half of the processor's time, and 25 MB less.
COPY src ./src
RUN NODE_COMPILE_CACHE=.compiled NODE_COMPILE_CACHE_PORTABLE=1 node --max-semi-space-size=4 --no-regexp-tier-up \
    -e "await import('./src/main.ts'); await import('./src/service.ts'); process.exit(0)"
# What the last stage needs besides: Node itself, the one library of Node's that its base lacks, and a folder to write to.
RUN install -D "$(command -v node)" /runtime/usr/local/bin/node \
    && install -D -m 644 /usr/lib/*-linux-gnu/libatomic.so.1 /runtime/usr/lib/libatomic.so.1 \
    && mkdir /data

# No shell and no package manager; the C library, its C++ counterpart, certificates and time zones.
FROM gcr.io/distroless/cc-debian12:nonroot@sha256:9dac0a79194e45a7da0158a9c6da57b217585af0786db3845d1f0ec1a0dd182f
LABEL org.opencontainers.image.title="Gumshoe" \
      org.opencontainers.image.description="A Slack bot and scheduled alert bridge for on-call engineers" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="1.1.0"
COPY --from=dependencies /runtime/ /
COPY --from=dependencies --chown=65532:65532 /data /data
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json manifest.yml LICENSE ./
COPY src ./src
COPY --from=dependencies /app/.compiled ./.compiled
# With `production` nothing is embedded: what is missing is an error. All that is written goes to /data, so the
# root file system can be read-only; compiled code is, for whoever runs here.
ENV NODE_ENV=production \
    NODE_COMPILE_CACHE=/app/.compiled \
    NODE_COMPILE_CACHE_PORTABLE=1 \
    TMPDIR=/data \
    DATABASE_URL=sqlite:/data/gumshoe.db
VOLUME /data
USER 65532:65532
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.METRICS_PORT || process.env.PORT || 3000) + '/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# V8 would let the young generation grow to 48 MB: with 12, thousands of watched issues stay under 200 MB in all.
# The investigation service is another command: `node --no-regexp-tier-up src/service.ts`.
CMD ["node", "--max-semi-space-size=4", "--no-regexp-tier-up", "src/main.ts"]
