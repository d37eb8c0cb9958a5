import { deleteTool } from './delete.ts';
import { editTool } from './edit.ts';
import { executeTool } from './execute.ts';
import { listTool } from './list.ts';
import { moveTool } from './move.ts';
import { readTool } from './read.ts';
import { searchTool } from './search.ts';
import { thinkTool } from './think.ts';
import type { Tool } from './tool.ts';
import { writeTool } from './write.ts';

/** Every tool of the built-in agent. */
export const ALL_TOOLS: readonly Tool[] = [
  readTool,
  listTool,
  searchTool,
  editTool,
  writeTool,
  deleteTool,
  moveTool,
  executeTool,
  thinkTool,
];
