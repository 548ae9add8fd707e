// The library ships no types for the step that its layout consists of.
declare module 'graphology-layout-forceatlas2/iterate' {
  const iterate: (settings: Record<string, number | boolean>, nodes: Float32Array, edges: Float32Array) => unknown;
  export default iterate;
}
