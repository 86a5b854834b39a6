# Gatehouse: Node, the production files, and the libraries that Node needs. Nothing else is in it, not even a shell.
#
#   docker build -t gatehouse .
#
# docs/operate/containers.md says how to run it.

# A Debian with Node 20 or newer and npm.
ARG BASE=node:26-trixie-slim

FROM ${BASE} AS build
WORKDIR /build
COPY . .
# In seconds since 1970: the time of all files.
ARG SOURCE_DATE_EPOCH=0
RUN SOURCE_DATE_EPOCH="$SOURCE_DATE_EPOCH" node tooling/setup/image.mjs /image
# V8 compiles in another way each time. In a layer of its own, its compile cache leaves the layer below the same in each build.
RUN mv /image/gatehouse/programs/compiled /compiled && touch -d "@$SOURCE_DATE_EPOCH" /image/gatehouse/programs

FROM scratch
COPY --from=build /image/ /
COPY --from=build /compiled/ /gatehouse/programs/compiled/
ARG REVISION
LABEL org.opencontainers.image.title="Gatehouse" \
  org.opencontainers.image.description="A self-hosted organization directory and API-token authority" \
  org.opencontainers.image.version="1.2.0" \
  org.opencontainers.image.revision="${REVISION}" \
  org.opencontainers.image.licenses="Apache-2.0"
USER 10001:10001
# In a container, its own network decides who reaches the ports. Publish 8080 only: 8081 is for health checks and metrics.
ENV PATH=/usr/local/bin NODE_ENV=production HOST=0.0.0.0 OPS_HOST=0.0.0.0 GATEHOUSE_DATA_DIR=/data
EXPOSE 8080 8081
# Whether the process answers. A database that is away is no reason to restart it: /ready tells load balancers.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 CMD ["gatehouse", "health", "--live"]
# The flags are those of apps/server/bin/node-flags.json.
CMD ["node", "--max-semi-space-size=16", "/gatehouse/programs/gatehouse-server.js"]
