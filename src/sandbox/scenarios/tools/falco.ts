import type { Tool } from './tool.ts';

/** A rule of Falco's, by Falcosidekick. What it tells of has happened: nothing is ever over. */
export const falco: Tool = {
  id: 'falco',
  name: 'Falco',
  fires: ({ service, number }, now) => {
    const time = new Date(now).toISOString();
    const output = `${time.slice(11, 23)}: Warning A shell was spawned in a container with an attached terminal (user=root container=${service} shell=bash parent=runc)`;
    const field = (title: string, value: string, short = true) => ({ title, value, short });
    return {
      username: 'Falcosidekick',
      attachments: [
        {
          color: '#ffc700',
          fallback: output,
          text: output,
          fields: [
            field('rule', 'Terminal shell in container'),
            field('priority', 'Warning'),
            field('source', 'syscall'),
            field('hostname', `node-eu-${number}`),
            field('tags', 'T1059, container, mitre_execution, shell'),
            field('container.id', '3f2a91bc77d0'),
            field('k8s.ns.name', 'shop'),
            field('k8s.pod.name', `${service}-5d7c9`),
            field('proc.cmdline', 'bash -il'),
            field('time', `${time.slice(0, 10)} ${time.slice(11, 23)} +0000 UTC`, false),
          ],
          footer: 'https://github.com/falcosecurity/falcosidekick',
        },
      ],
    };
  },
  recovers: null,
};
