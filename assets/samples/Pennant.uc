//=============================================================================
// Pennant: imports the mesh of the files beside it.
//=============================================================================
class Pennant extends Decoration;

#exec MESH IMPORT MESH=Pennant ANIVFILE=MODELS\Pennant_a.3d DATAFILE=MODELS\Pennant_d.3d X=0 Y=0 Z=0
#exec MESH ORIGIN MESH=Pennant X=0 Y=0 Z=0 YAW=0 PITCH=0 ROLL=0

#exec MESH SEQUENCE MESH=Pennant SEQ=All STARTFRAME=0 NUMFRAMES=21
#exec MESH SEQUENCE MESH=Pennant SEQ=Flutter STARTFRAME=0 NUMFRAMES=20 RATE=20
#exec MESH SEQUENCE MESH=Pennant SEQ=Still STARTFRAME=20 NUMFRAMES=1
#exec MESH NOTIFY MESH=Pennant SEQ=Flutter TIME=0.5 FUNCTION=Rustle

#exec TEXTURE IMPORT NAME=PennantCloth FILE=MODELS\Pennant_Cloth.bmp GROUP=Skins
#exec MESHMAP NEW MESHMAP=Pennant MESH=Pennant
#exec MESHMAP SCALE MESHMAP=Pennant X=0.125 Y=0.125 Z=0.25
#exec MESHMAP SETTEXTURE MESHMAP=Pennant NUM=1 TEXTURE=PennantCloth

defaultproperties
{
DrawType=DT_Mesh
Mesh=Pennant
}
