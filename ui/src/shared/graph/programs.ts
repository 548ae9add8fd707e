// Edge programs for the renderer: arrows, and dashed arrows for what was derived.

import {
  createEdgeArrowHeadProgram,
  createEdgeClampedProgram,
  createEdgeCompoundProgram,
  EdgeRectangleProgram,
  type EdgeProgramType,
} from 'sigma/rendering';

const HEAD = { lengthToThicknessRatio: 3.2, widenessToThicknessRatio: 2.6 };

interface Definition {
  VERTEX_SHADER_SOURCE: string;
  FRAGMENT_SHADER_SOURCE: string;
}

type WithDefinition = new (...given: ConstructorParameters<EdgeProgramType>) => InstanceType<EdgeProgramType> & {
  getDefinition(): Definition;
};

/** A dash and a gap, in pixels on screen. */
const DASH = { period: '11.0', drawn: '6.5' };

class DashedLine extends (createEdgeClampedProgram(HEAD) as unknown as WithDefinition) {
  /** The line's own shaders, which also count how far along the line they are and leave out the gaps. */
  override getDefinition(): Definition {
    const plain = super.getDefinition();
    return {
      ...plain,
      VERTEX_SHADER_SOURCE: plain.VERTEX_SHADER_SOURCE.replace(
        'void main() {',
        `varying float v_along;
        void main() {
          v_along = a_positionCoef * length(a_positionEnd - a_positionStart) / u_correctionRatio / 2.0;`,
      ),
      FRAGMENT_SHADER_SOURCE: plain.FRAGMENT_SHADER_SOURCE.replace(
        'void main(void) {',
        `varying float v_along;
        void main(void) {
          #ifndef PICKING_MODE
          if (mod(v_along, ${DASH.period}) > ${DASH.drawn}) discard;
          #endif`,
      ),
    };
  }
}

/** By the `type` attribute of an edge. */
export const EDGE_PROGRAMS: Record<string, EdgeProgramType> = {
  line: EdgeRectangleProgram,
  arrow: createEdgeCompoundProgram([createEdgeClampedProgram(HEAD), createEdgeArrowHeadProgram(HEAD)]),
  dashed: createEdgeCompoundProgram([DashedLine as unknown as EdgeProgramType, createEdgeArrowHeadProgram(HEAD)]),
};
