// The picture itself: a renderer over a graph whose nodes keep their places. Loaded when a graph is first shown.

import Graph from 'graphology';
import Sigma from 'sigma';
import { bundles, wordsOf } from './bundle';
import type { Palette } from './colours';
import { type Content, type EdgeAttributes, fillEdges, fillNodes } from './content';
import { drawSigns, hoverPainter, labelPainter, type NodeAttributes } from './draw';
import { force, type Running, tidied } from './force';
import { layered } from './layered';
import { added, bounds, seeds, towards } from './place';
import { EDGE_PROGRAMS } from './programs';
import { type Bundle, CLICKABLE, type GraphEdge, type GraphEvents, type GraphNode, type GraphStyle, LARGE, type Layout, type Position, SMALL } from './types';

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif";
const KIND = { type: 'directed', multi: false, allowSelfLoops: false } as const;

export interface SceneOptions {
  style: GraphStyle;
  palette: Palette;
  events: GraphEvents;
  /** Told when a layout begins and ends. */
  onbusy?: (isBusy: boolean) => void;
}

export class Scene {
  #graph: Content = new Graph(KIND);
  readonly #sigma: Sigma<NodeAttributes, EdgeAttributes>;
  readonly #signs: HTMLCanvasElement;
  readonly #options: SceneOptions;
  #palette: Palette;
  #nodes: readonly GraphNode[] = [];
  #edges: readonly GraphEdge[] = [];
  #bundles = new Map<string, Bundle>();
  #lit: ReadonlySet<string> | undefined;
  #pointed: ReadonlySet<string> | undefined;
  #pointedAt: string | undefined;
  #selected: string | undefined;
  #running: Running | undefined;
  #scale = 1;
  #inset = 0;
  #isReady = false;
  #isLayered = false;
  readonly #size: ResizeObserver;

  constructor(container: HTMLElement, options: SceneOptions) {
    this.#options = options;
    this.#palette = options.palette;
    this.#sigma = new Sigma<NodeAttributes, EdgeAttributes>(this.#graph, container, {
      allowInvalidContainer: true,
      edgeProgramClasses: EDGE_PROGRAMS,
      defaultEdgeType: 'arrow',
      labelSize: 12,
      labelFont: FONT,
      labelDensity: 0.9,
      labelGridCellSize: 110,
      labelRenderedSizeThreshold: 5,
      stagePadding: 64,
      minCameraRatio: 0.01,
      maxCameraRatio: 6,
      zIndex: true,
      edgeLabelSize: 10,
      edgeLabelFont: FONT,
    });
    this.#signs = this.#sigma.createCanvas('signs', { beforeLayer: 'labels' });
    this.#sigma.on('afterRender', () => this.#drawSigns());
    this.#listen();
    this.#paint();
    this.#size = new ResizeObserver(() => {
      const before = this.#sigma.getDimensions();
      const { width, height } = this.#sigma.resize().getDimensions();
      if (width !== before.width || height !== before.height) this.#sigma.scheduleRender();
    });
    this.#size.observe(container);
  }

  /** Shows this graph. Nodes that were there stay where they were; others are put beside what they hang on. */
  async show(nodes: readonly GraphNode[], edges: readonly GraphEdge[], layout: Layout): Promise<void> {
    const isFirst = this.#graph.order === 0;
    const isPlaced = nodes.every((node) => node.place);
    this.#nodes = nodes;
    this.#edges = edges;
    this.#bundles = bundles(edges);
    const places = isPlaced ? givenPlaces(nodes) : isFirst ? this.#first(layout) : this.#kept();
    // What the caller moves is looked at anew, else it might be out of sight.
    const isMoved = isPlaced && nodes.some(({ id, place }) => this.#graph.hasNode(id) && this.#graph.getNodeAttribute(id, 'x') !== place?.x);
    if (isFirst || isMoved) {
      this.#isLayered = layout === 'layered';
      this.#frame(places);
    }
    this.#settings();
    this.#fill(places);
    if (isFirst && layout === 'force' && !isPlaced) await this.arrange();
    this.#isReady = true;
    if (this.#selected) this.reveal(this.#selected);
  }

  /** Lays everything out anew; only ever done because a person asked, or at first. */
  async arrange(layout: Layout = 'force'): Promise<void> {
    this.stop();
    this.#isLayered = layout === 'layered';
    if (layout === 'layered') return this.#fit(this.#layered());
    this.#options.onbusy?.(true);
    const isSmall = this.#nodes.length <= SMALL;
    const running = force(this.#nodes, this.#edges, this.places(), isSmall ? 1500 : 15_000, (places, isLast) => {
      // A small graph is shown when it is ready, so that nothing swims; a large one can be watched.
      if (isSmall && !isLast) return;
      this.#frame(places);
      this.#fill(places);
    });
    this.#running = running;
    await running.done;
    this.#options.onbusy?.(false);
  }

  /** Ends a layout that runs. */
  stop(): void {
    this.#running?.stop();
    this.#running = undefined;
  }

  /** Lights these nodes and dims the rest; undefined lights everything. */
  light(nodes: ReadonlySet<string> | undefined): void {
    if (this.#lit === nodes) return;
    this.#lit = nodes;
    this.#reduce();
  }

  select(node: string | undefined): void {
    this.#selected = node;
    this.#drawSigns();
  }

  /** Brings nodes into view without moving them; one that is in view already stays where it is. */
  reveal(node: string): void {
    const shown = this.#sigma.getNodeDisplayData(node);
    if (!shown || !this.#isReady) return;
    const { x, y } = this.#sigma.framedGraphToViewport(shown);
    const { width, height } = this.#sigma.getDimensions();
    const right = width - this.#inset;
    if (x > 40 && y > 40 && x < right - 40 && y < height - 40) return;
    // The middle of what is not covered.
    const middle = this.#sigma.viewportToFramedGraph({ x: width / 2 + (x - right / 2), y });
    void this.#sigma.getCamera().animate(middle, { duration: 250 });
  }

  /** So many pixels at the right are covered by something else. */
  cover(inset: number): void {
    this.#inset = inset;
  }

  fit(): void {
    this.#fit(this.places());
  }

  #fit(places: ReadonlyMap<string, Position>): void {
    this.#frame(places);
    this.#fill(places);
    void this.#sigma.getCamera().animate({ x: 0.5, y: 0.5, ratio: 1, angle: 0 }, { duration: 200 });
  }

  zoom(factor: number): void {
    const camera = this.#sigma.getCamera();
    void camera.animate({ ratio: camera.getBoundedRatio(camera.ratio / factor) }, { duration: 120 });
  }

  recolour(palette: Palette): void {
    if (JSON.stringify(palette) === JSON.stringify(this.#palette)) return;
    this.#palette = palette;
    this.#paint();
    if (this.#nodes.length > 0) this.#fill(this.places());
  }

  /** Sets what labels are drawn with. */
  #paint(): void {
    const palette = this.#palette;
    const look = { palette, font: FONT };
    this.#sigma.setSettings({
      defaultDrawNodeLabel: labelPainter(look),
      defaultDrawNodeHover: hoverPainter(look),
      edgeLabelColor: { color: palette.label },
    });
  }

  /** The node that an arrow key leads to from the selected one. */
  next(direction: Position): string | undefined {
    if (!this.#selected || !this.#graph.hasNode(this.#selected)) return this.#nodes[0]?.id;
    const from = this.#graph.getNodeAttributes(this.#selected);
    const others = this.#graph.neighbors(this.#selected).map((id) => {
      const { x, y } = this.#graph.getNodeAttributes(id);
      return { id, x, y };
    });
    return towards(from, direction, others);
  }

  /** Where a node is on the page. */
  at(node: string): Position | undefined {
    const shown = this.#sigma.getNodeDisplayData(node);
    if (!shown) return undefined;
    const box = this.#sigma.getContainer().getBoundingClientRect();
    const { x, y } = this.#sigma.framedGraphToViewport(shown);
    return { x: box.left + x, y: box.top + y };
  }

  places(): Map<string, Position> {
    return new Map(this.#graph.mapNodes((id, { x, y }) => [id, { x, y }]));
  }

  /** The picture as it is shown, layer upon layer. */
  picture(): HTMLCanvasElement {
    this.#sigma.refresh();
    const layers = this.#sigma.getCanvases();
    const first = Object.values(layers)[0];
    const canvas = document.createElement('canvas');
    canvas.width = first?.width ?? 1;
    canvas.height = first?.height ?? 1;
    const context = canvas.getContext('2d');
    if (!context) return canvas;
    context.fillStyle = this.#palette.ground;
    context.fillRect(0, 0, canvas.width, canvas.height);
    for (const name of ['edges', 'edgeLabels', 'nodes', 'signs', 'labels']) {
      const layer = name === 'signs' ? this.#signs : layers[name];
      if (layer) context.drawImage(layer, 0, 0, canvas.width, canvas.height);
    }
    return canvas;
  }

  /** The renderer, for measurements. */
  get renderer(): Sigma<NodeAttributes, EdgeAttributes> {
    return this.#sigma;
  }

  kill(): void {
    this.stop();
    this.#size.disconnect();
    this.#sigma.kill();
  }

  #layered(): Map<string, Position> {
    const { width } = this.#sigma.getDimensions();
    return layered(this.#nodes, this.#edges, width < 600);
  }

  #first(layout: Layout): Map<string, Position> {
    return layout === 'layered' ? this.#layered() : tidied(this.#nodes, this.#edges, seeds(this.#nodes, this.#edges));
  }

  #kept(): Map<string, Position> {
    const known = this.places();
    return new Map([...known, ...added(this.#nodes, this.#edges, known)]);
  }

  /** Makes the picture say what the data says, with nodes at these places, and draws it. */
  #fill(places: ReadonlyMap<string, Position>): void {
    const look = { style: this.#options.style, palette: this.#palette, scale: this.#scale, isLayered: this.#isLayered };
    const graph: Content = new Graph(KIND);
    fillNodes(graph, this.#nodes, this.#edges, places, look);
    fillEdges(graph, this.#bundles, look);
    this.#graph = graph;
    // The renderer gets the whole at once: told of single changes, it sorts everything anew for each node that goes.
    this.#sigma.setGraph(graph);
  }

  #settings(): void {
    const isLarge = this.#nodes.length > LARGE;
    this.#sigma.setSettings({
      hideEdgesOnMove: isLarge,
      hideLabelsOnMove: isLarge,
      enableEdgeEvents: this.#bundles.size <= CLICKABLE,
      renderEdgeLabels: this.#nodes.length <= SMALL,
      renderLabels: this.#nodes.length > SMALL,
      labelRenderedSizeThreshold: 8,
      labelDensity: 0.55,
    });
  }

  /** Freezes what the view is measured by, so that added nodes do not shift the others. */
  #frame(places: ReadonlyMap<string, Position>): void {
    const box = bounds(places.values());
    const { width, height } = this.#sigma.getDimensions();
    // A few nodes keep their natural distances instead of filling the window.
    const [x, y] = [widened(box.x, width * 0.8), widened(box.y, height * 0.8)];
    this.#sigma.setCustomBBox({ x, y });
    this.#scale = Math.min(width / (x[1] - x[0] + 1), height / (y[1] - y[0] + 1));
  }

  #reduce(): void {
    const lit = this.#pointed ?? this.#lit;
    const { faded } = this.#palette;
    const isTold = this.#pointed ? (id: string) => this.#graph.extremities(id).includes(this.#pointedAt ?? '') : () => false;
    this.#sigma.setSettings({
      nodeReducer: lit ? (id, node) => (lit.has(id) ? { ...node, zIndex: 1 } : { ...node, color: faded, label: null }) : null,
      edgeReducer: lit
        ? (id, edge) =>
            lit.has(this.#graph.source(id)) && lit.has(this.#graph.target(id))
              ? { ...edge, zIndex: 1, label: isTold(id) ? wordsOf(this.#bundles.get(id), this.#options.style) : edge.label }
              : { ...edge, color: faded, label: null }
        : null,
    });
  }

  #drawSigns(): void {
    const lit = this.#pointed ?? this.#lit;
    drawSigns(this.#sigma as unknown as Sigma<NodeAttributes>, this.#signs, {
      palette: this.#palette,
      font: FONT,
      selected: this.#selected,
      largest: 16 * Math.min(1, Math.max(0.6, this.#scale)),
      withLabels: this.#nodes.length <= SMALL,
      faded: (node) => lit !== undefined && !lit.has(node),
    });
  }

  #listen(): void {
    const { events } = this.#options;
    this.#sigma.on('clickNode', ({ node }) => events.onselect?.({ node }));
    this.#sigma.on('clickStage', () => events.onselect?.(undefined));
    this.#sigma.on('clickEdge', ({ edge }) => {
      const bundle = this.#bundles.get(edge);
      if (bundle) events.onselect?.({ edge: bundle });
    });
    this.#sigma.on('doubleClickNode', ({ node, preventSigmaDefault }) => {
      preventSigmaDefault();
      events.onopen?.(node);
    });
    this.#sigma.on('rightClickNode', ({ node, event }) => events.onmenu?.({ ...place(event.original), node }));
    this.#sigma.on('rightClickEdge', ({ edge, event }) => {
      const bundle = this.#bundles.get(edge);
      events.onmenu?.({ ...place(event.original), ...(bundle ? { edge: bundle } : {}) });
    });
    this.#sigma.on('rightClickStage', ({ event }) => events.onmenu?.(place(event.original)));
    this.#sigma.on('enterNode', ({ node }) => this.#point(node));
    this.#sigma.on('leaveNode', () => this.#point(undefined));
  }

  #point(node: string | undefined): void {
    if (this.#nodes.length > LARGE) return;
    this.#pointedAt = node;
    this.#pointed = node ? new Set([node, ...this.#graph.neighbors(node)]) : undefined;
    this.#reduce();
  }
}

function givenPlaces(nodes: readonly GraphNode[]): Map<string, Position> {
  return new Map(nodes.flatMap((node) => (node.place ? [[node.id, node.place] as const] : [])));
}

function widened([from, to]: [number, number], least: number): [number, number] {
  const missing = Math.max(0, least - (to - from)) / 2;
  return [from - missing, to + missing];
}

function place(event: MouseEvent | TouchEvent): Position {
  return event instanceof MouseEvent ? { x: event.clientX, y: event.clientY } : { x: 0, y: 0 };
}
