import { hostOf, type Problem } from './problem.ts';
import type { Tool, ToolMessage } from './tool.ts';

/** A service of a host, by the usual script for Icinga 2. */
export const icinga: Tool = {
  id: 'icinga',
  name: 'Icinga',
  fires: (problem) => write(problem, ':bomb:', 'CRITICAL'),
  recovers: { by: 'message', write: (problem) => write(problem, ':beer:', 'OK') },
};

function write(problem: Problem, emoji: string, state: string): ToolMessage {
  const host = hostOf(problem);
  const web = 'http://icinga.shop.example/icingaweb2/monitoring';
  const name = `${host}.prod.shop.example`;
  return {
    username: 'icinga2',
    text: `${emoji} HOST: <${web}/host/services?host=${name}|${host}>   SERVICE: <${web}/service/show?host=${name}&amp;service=${problem.symptom.replaceAll(' ', '+')}|${problem.symptom}>  STATE: ${state}`,
  };
}
