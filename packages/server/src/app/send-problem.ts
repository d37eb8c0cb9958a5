import type { FastifyReply } from 'fastify';
import { PROBLEM_TYPE, toProblemText, type Problem } from '../problem/problem.ts';

/** Answers with a problem. */
export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  const { status, headers = {} } = problem;
  return reply.code(status).headers(headers).type(PROBLEM_TYPE).send(toProblemText(problem));
}
