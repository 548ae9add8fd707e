// The shapes of the estate by the names that pages use; all of them are the API's own.

import type { Answer } from '$shared/api/client';

export type Subgraph = Answer<'/v1/estate/graph'>;
export type EstateNode = Subgraph['nodes'][number];
export type EstateEdge = Subgraph['edges'][number];
export type NodeDetail = Answer<'/v1/estate/nodes/{id}'>;
export type EdgeDetail = Answer<'/v1/estate/edge'>;
export type SearchAnswer = Answer<'/v1/estate/search'>;
export type SearchHit = SearchAnswer['items'][number];
export type NodeRef = SearchHit['node'];
export type Findings = Answer<'/v1/estate/findings'>;
export type FindingRow = Findings['items'][number];
export type PathsAnswer = Answer<'/v1/estate/paths', 'post'>;
export type FoundPath = PathsAnswer['paths'][number];
export type PathStep = FoundPath['steps'][number];
export type ReachAnswer = Answer<'/v1/estate/reach', 'post'>;
export type WhatIfAnswer = Answer<'/v1/estate/what-if', 'post'>;
export type ScanRow = Answer<'/v1/estate/scans'>['items'][number];
