//#import globals.wgsl
//#import color.wgsl
//#import skin.wgsl
//#import surface.wgsl
